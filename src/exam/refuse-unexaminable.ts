import { CentavoError } from "../kit/base/errors/centavo-error.ts";
import { inWords } from "../kit/base/errors/in-words.ts";
import { messageOf } from "../kit/base/errors/thrown-values.ts";
import type { Outcome } from "./run-story.ts";
import { SHOP } from "./playing/programs.ts";
import { withoutSecrets } from "./without-secrets.ts";
import { Unexaminable } from "./unexaminable.ts";

/**
 * Refuses a merchant whose program crashes, or whose books cannot be read, in a story without trouble.
 * @throws {CentavoError} `INVALID_OPTION`, with what `books` threw as its cause
 */
export function refuseUnexaminable({ evidence: { seen } }: Outcome): void {
  if (seen.unreadable !== undefined)
    throw new Unexaminable(
      `exam: books threw in the first story, in which nothing goes wrong: ${messageOf(seen.unreadable)}`,
      { cause: seen.unreadable },
    );
  const facts = seen.readings.flatMap(({ books }) => Object.keys(books));
  if (facts.length > 0) return;
  const [crash] = seen.crashes;
  if (crash !== undefined)
    throw new Unexaminable(
      `exam: in the first story, in which nothing goes wrong, the merchant's program threw an error that nothing caught: ${crash}`,
    );
  throw new Unexaminable(
    "exam: books returned nothing that a law could judge. Return { orders }, { memberships } or both.",
  );
}

/**
 * Refuses a merchant whose books cannot be read at the end of a story, when nothing goes wrong any more. No law could judge such a story.
 * @throws {CentavoError} `INVALID_OPTION` with the story, and with what `books` threw as its cause
 */
export function refuseUnreadable({ evidence: { seen } }: Outcome): void {
  if (seen.unreadable === undefined || seen.neverRests || seen.isOfMerchant(seen.unreadable)) return;
  throw new CentavoError(
    "INVALID_OPTION",
    `exam: books threw at the end of a story, when nothing goes wrong any more: ${withoutSecrets(messageOf(seen.unreadable)).replace(/(?<![.!?])$/, ".")} The story: ${seen.told.join(" ")}`,
    { cause: seen.unreadable },
  );
}

/**
 * Refuses a merchant whose events go to an origin other than its own. No event would reach it, and laws would blame it
 * for what it never learned.
 * @throws {CentavoError} `INVALID_OPTION` with the address
 */
export function refuseOtherOrigin({ receivers }: Outcome): void {
  const other = receivers.find((address) => new URL(address).origin !== SHOP);
  if (other === undefined) return;
  throw new Unexaminable(
    `exam: the merchant sends events to ${withoutSecrets(inWords(other))} and its app is at ${SHOP}. Use the \`url\` that open is given, as in webhookUrl: \`\${url}/hooks\`.`,
  );
}
