/** How words for paid orders begin, in many languages. */
const PAID =
  /^(paid|pago|pagad[oa]|bayad|bezahlt|pay[ée]|betaald|complet|fulfil|ship|sent|deliver|succe|done|confirmed|captured|settled|closed|finished|received|active|ok$)/i;
/** How words for unpaid orders begin: never paid, not paid yet, or no longer paid. */
const NOT_PAID =
  /^(pend|process|await|wait|new|open|creat|init|draft|plac|request|requires|authori[sz]|unpaid|not|fail|declin|refus|reject|error|cancel|void|abandon|expire|timed|refund|partial|return|revers|dispute|hold|on.?hold|review|stuck|problem|reserved|submitted|confirming|confirmation|started|begun|sold|out|over|underpaid|mismatch|suspicious|attention)/i;

/** Whether a merchant's word for an order means that it is paid; undefined for an unknown word. */
export function saysPaid(word: string): boolean | undefined {
  const plain = word.trim().replace(/^(payment|order|checkout|intent)[\s_.:-]+/i, "");
  if (NOT_PAID.test(plain)) return false;
  return PAID.test(plain) ? true : undefined;
}
