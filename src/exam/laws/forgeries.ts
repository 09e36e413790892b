import { paidBy, priceOf } from "../evidence.ts";
import type { Evidence } from "../evidence.ts";
import type { Books } from "../options.ts";
import type { BooksReading } from "../playing/observations.ts";
import type { Breach, LawOfTheExam } from "./law.ts";
import { saysPaid } from "./status-words.ts";

/** Laws against what only pretends to come from the service. */
export const forgeryLaws: readonly LawOfTheExam[] = [
  {
    name: "forged-changes-nothing",
    sentence: "Forged events and edited return URLs have no effect.",
    misunderstanding: "Only the service knows the URL of the webhook, and customers do not edit URLs.",
    remedy:
      "Verify the signature of each event over its raw body with your own secret, and trust nothing in the query of the return URL: read the status from the service.",
    holds: "always",
    reached: ({ seen }) => seen.readings.some(({ moment }) => moment === "forged"),
    breaches: (evidence) =>
      evidence.seen.readings.flatMap((after, index, readings): Breach[] => {
        const before = readings.slice(0, index).findLast(({ moment }) => moment === "unforged");
        return after.moment === "forged" && before !== undefined ? effectsOf(evidence, before, after) : [];
      }),
  },
];

/** Returns what a forgery changed for each customer who has not paid. */
function effectsOf(evidence: Evidence, before: BooksReading, after: BooksReading): Breach[] {
  const { seen } = evidence;
  const orders = (after.books.orders ?? []).flatMap((order): Breach[] => {
    const { id, fulfilments, status } = order;
    const old = orderIn(before.books, id);
    if (paidBy(evidence, id, after.at) >= priceOf(evidence, order)) return [];
    if (fulfilments > (old?.fulfilments ?? 0))
      return [{ id, what: `${id} was fulfilled because of a forgery, and was not paid.` }];
    if (saysPaid(status) === true && saysPaid(old?.status ?? "pending") !== true)
      return [{ id, what: `${id} became ${status} because of a forgery, and was not paid.` }];
    return [];
  });
  const memberships = (after.books.memberships ?? []).flatMap(({ id, hasAccess }): Breach[] => {
    const had = before.books.memberships?.find((each) => each.id === id)?.hasAccess ?? false;
    const isActive = after.subscriptions.some((each) => each.status === "active" && seen.owners.get(each.id) === id);
    return hasAccess && !had && !isActive
      ? [{ id, what: `${id} got access because of a forgery, and has not paid.` }]
      : [];
  });
  return [...orders, ...memberships];
}

function orderIn({ orders = [] }: Books, id: string) {
  return orders.find((each) => each.id === id);
}
