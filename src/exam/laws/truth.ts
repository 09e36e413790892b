import { lastReading, mostPaidBy, paidBy, priceOf, refundOf } from "../evidence.ts";
import type { Evidence, PaymentMove, TiedPayment } from "../evidence.ts";
import type { BooksReading } from "../playing/observations.ts";
import type { Telling } from "../playing/tellings.ts";
import type { Belief, Breach } from "./law.ts";
import { saysPaid, saysRefused } from "./status-words.ts";

const failureIsRefusal: Belief = {
  misunderstanding: "A call that fails, or is not answered, means that the payment was declined.",
  remedy:
    "Tell a customer that a payment was declined when the service says so. After a missing answer, a conflict or a 5xx, read the status of the payment, and say that you do not know yet until you do.",
};

const pageStaysRight: Belief = {
  misunderstanding: "A page that was right once stays right.",
  remedy: "Read the order anew for each page, and keep pages that show a status out of every cache.",
};

/** The beliefs that make merchants tell what is not true. */
export const untruthBeliefs: readonly Belief[] = [failureIsRefusal, pageStaysRight];

/** What a customer pays in with 402. */
const PAYMENT_REQUIRED = 402;

/** Returns what is not true of what a customer was told; undefined when nothing is, or nobody knows. */
export function untruthIn(evidence: Evidence, telling: Telling): Breach | undefined {
  const { id, at } = telling;
  const word = usesWord(evidence, telling.word) ? telling.word : undefined;
  // Whoever turns an order down and gives the money back says so rightly.
  const lives = isGivenBack(evidence, id) ? undefined : livingPayment(evidence, id, at);
  const told = word === undefined ? `the answer ${telling.status}` : `that ${id} is ${word}`;
  if (lives !== undefined && (word === undefined ? isRefusal(telling, lives) : saysRefused(word)))
    return { id, what: `The customer was told ${told}, and the payment is ${lives}.`, ...failureIsRefusal };
  if (word === undefined) return undefined;
  const { wasPaid, after } = booksAround(evidence, telling);
  if (after === undefined) return undefined;
  const paid = mostPaidBy(evidence, id, at);
  if (saysPaid(word) === true && paid < priceOf(evidence, after, at))
    return { id, what: `The customer was told ${told}, and ${paid === 0 ? "nothing" : "too little"} was paid.` };
  if (saysPaid(word) === false && wasPaid && saysPaid(after.status) === true)
    return { id, what: `The customer was told ${told}, and it is ${after.status} in the books.`, ...pageStaysRight };
  return undefined;
}

/** Whether a word is one that the books use for orders. Others may mean something else, as `success` does in a reply to any request. */
function usesWord({ seen }: Evidence, word: string | undefined): boolean {
  return word !== undefined && seen.readings.some(({ books }) => books.orders?.some(({ status }) => status === word));
}

/** A 402 that leads to a challenge is what the service answers, too. */
function isRefusal({ status, leads }: Telling, lives: string): boolean {
  return status === PAYMENT_REQUIRED && !leads && lives !== "requires_action";
}

function isGivenBack(evidence: Evidence, id: string): boolean {
  const order = lastReading(evidence)?.books.orders?.find((each) => each.id === id);
  return order !== undefined && refundOf(order, paidBy(evidence, id, Infinity)) > 0;
}

/** Returns the status of a payment that was under way or had succeeded at a moment, unless any payment of the customer had come to nothing. */
function livingPayment(evidence: Evidence, id: string, at: number): string | undefined {
  const statuses = evidence.payments
    .filter((payment) => ownerOf(evidence, payment) === id)
    .flatMap((payment) => statusesBy(evidence.moves.get(payment.id) ?? [], at) ?? []);
  if (statuses.some((status) => status === "failed" || status === "canceled" || status === "again")) return undefined;
  return statuses.find((status) => ["processing", "requires_action", "succeeded"].includes(status));
}

/** Returns the status at a moment; `again` when the payment had to be confirmed again. */
function statusesBy(moves: readonly PaymentMove[], at: number): string | undefined {
  const states = moves.filter((move) => move.at <= at).map(({ to }) => to);
  const confirmed = states.findIndex((state) => !state.startsWith("requires_") || state === "requires_action");
  const last = states.at(-1);
  const isBack = confirmed !== -1 && last !== "requires_action" && last?.startsWith("requires_") === true;
  return isBack ? "again" : last;
}

function ownerOf({ seen }: Evidence, { owner, subscriptionId = "" }: TiedPayment): string | undefined {
  return owner ?? seen.owners.get(subscriptionId);
}

/** Returns whether an order was paid, in the books and at the service, before the customer asked, and the order after the answer. */
function booksAround(evidence: Evidence, { id, readingsBefore, readingsUntil }: Telling) {
  const { readings } = evidence.seen;
  const orderIn = (reading: BooksReading | undefined) => reading?.books.orders?.find((order) => order.id === id);
  const reading = readings[readingsBefore - 1];
  const order = orderIn(reading);
  const paid = paidBy(evidence, id, reading?.at ?? 0);
  return {
    wasPaid: order !== undefined && saysPaid(order.status) === true && paid >= priceOf(evidence, order, reading?.at),
    after: orderIn(readings[readingsUntil]),
  };
}
