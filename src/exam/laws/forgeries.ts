import { mostPaidBy, priceOf } from "../evidence.ts";
import type { Evidence } from "../evidence.ts";
import type { Books } from "../options.ts";
import type { BooksReading } from "../playing/observations.ts";
import { forgingFaults, isTaken } from "../playing/taken-forgeries.ts";
import type { Belief, Breach, LawOfTheExam } from "./law.ts";
import { saysPaid } from "./status-words.ts";

export const genuineIsNew: Belief = {
  misunderstanding: "A delivery whose signature is right is new.",
  remedy:
    "Anyone who has seen a delivery can send it again. Compare the stamp `t` of the signature with your clock, and answer 4xx when they are more than five minutes apart. `verifyWebhook` of `centavo/webhooks` does so.",
};

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
  {
    name: "refuses-forgeries",
    sentence: "A forged, foreign or stale delivery is refused, even if nothing comes of it.",
    misunderstanding: "A delivery that cannot be verified does no harm.",
    remedy:
      "Answer 4xx to whatever has no valid signature of your own secret over its raw body: no signature, the signature of another merchant, a body that was changed.",
    otherBeliefs: [genuineIsNew],
    holds: "always",
    leavesOut: ({ seen }) =>
      seen.forgeries.some(({ answeredElse }) => isTaken({ answered: answeredElse }))
        ? "the merchant answers 2xx to anybody, so its answers do not tell what it takes"
        : undefined,
    reached: ({ seen }) => seen.forgeries.some(({ answered }) => answered !== undefined),
    breaches: ({ seen }) =>
      seen.forgeries.flatMap((forgery): Breach[] => {
        const { event, wrong, answered, answeredElse = 500 } = forgery;
        if (!isTaken(forgery) || answeredElse < 400 || answeredElse >= 500) return [];
        return [
          {
            what: `The merchant answered ${answered} to the event ${event.type} with ${wrong}, and ${answeredElse} to the same event with another signature.`,
            ...(wrong === forgingFaults["webhook.stale-timestamp"] ? genuineIsNew : {}),
          },
        ];
      }),
  },
];

/** Returns what a forgery changed for each customer who has not paid. */
function effectsOf(evidence: Evidence, before: BooksReading, after: BooksReading): Breach[] {
  const { seen } = evidence;
  const orders = (after.books.orders ?? []).flatMap((order): Breach[] => {
    const { id, fulfilments, status } = order;
    const old = orderIn(before.books, id);
    if (mostPaidBy(evidence, id, after.at) >= priceOf(evidence, order)) return [];
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
