/**
 * How words for paid orders begin, in many languages. Words that shops use for paid and for unpaid orders are in neither list: an order that is
 * received, confirmed, open, active or processing may wait for its money, and one that is closed may have been given up.
 */
const PAID =
  /^(paid|pago|pagad[oa]|bayad|bezahlt|pay[ée]|betaald|complet|fulfil|ship|sent|deliver|succe|done|captured|settled|finished|ok$)/i;
/** How words for unpaid orders begin: never paid, not paid yet, or no longer paid. */
const NOT_PAID =
  /^(pend|await|wait|new|creat|init|draft|plac|request|requires|authori[sz]|unpaid|not|fail|declin|refus|reject|error|cancel|void|abandon|expire|timed|refund|partial|return|revers|dispute|hold|on.?hold|review|stuck|problem|reserved|submitted|confirming|confirmation|started|begun|sold|out|over|underpaid|mismatch|suspicious|attention)/i;

/** How words for orders begin whose payment was refused. */
const REFUSED = /^(fail|declin|refus|reject)/i;

/** Whether a merchant's word for an order means that it is paid; undefined for an unknown word. */
export function saysPaid(word: string): boolean | undefined {
  const plain = plainWord(word);
  if (NOT_PAID.test(plain)) return false;
  return PAID.test(plain) ? true : undefined;
}

/** Whether a merchant's word for an order means that its payment was refused. */
export function saysRefused(word: string): boolean {
  return REFUSED.test(plainWord(word));
}

function plainWord(word: string): string {
  return word.trim().replace(/^(payment|order|checkout|intent)[\s_.:-]+/i, "");
}
