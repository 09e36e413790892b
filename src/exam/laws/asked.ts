import { OriginalDate } from "../../kit/base/runtime/dates.ts";
import type { Evidence, TiedPayment, TiedSubscription } from "../evidence.ts";
import type { ObservedAct } from "../playing/observations.ts";
import { FREE_ACTS, chargingBeliefs, whyChargedAgain } from "./beliefs.ts";
import { PAYING, changeOfPrice, pricesFollow } from "./coming-back.ts";
import type { Breach, LawOfTheExam } from "./law.ts";
import { noMemberships } from "./membership-facts.ts";
import { noOrders } from "./orders.ts";

/** The statuses that only a confirmed payment comes to. */
const CONFIRMED: ReadonlySet<string> = new Set(["requires_action", "processing", "succeeded", "failed"]);

/** Laws against what no customer asked for. */
export const askedLaws: readonly LawOfTheExam[] = [
  {
    name: "charged-as-asked",
    sentence:
      "A customer is charged once for each time that they ask to pay, however the payment ends, and the price that they saw last.",
    misunderstanding: "A payment that failed, or that will be given back, costs the customer nothing.",
    remedy:
      "Make one payment for each request of the customer. When an answer is missing, read the status of that payment. When it fails, tell the customer, who decides whether to try again.",
    otherBeliefs: [...chargingBeliefs, pricesFollow],
    holds: "in the end",
    reached: (evidence) => evidence.seen.acts.some(({ id }) => chargesOf(evidence, id).length > 0),
    breaches: (evidence) => [
      ...evidence.seen.acts.flatMap((act): Breach[] => {
        const change = PAYING.has(act.act) ? changeOfPrice(evidence.seen, act) : undefined;
        const old = confirmedSince(evidence, act).find(
          ({ createdAt, amount }) =>
            change !== undefined && (OriginalDate.parse(createdAt) < change.at || amount === change.from),
        );
        if (old === undefined) return [];
        const what = `The customer of ${act.id} changed what is in the order, and was charged the old price.`;
        return [{ id: act.id, what, ...pricesFollow }];
      }),
      ...[...Map.groupBy(evidence.seen.acts, ({ id }) => id)].flatMap(([id, acts]): Breach[] => {
        const asked = acts.filter(({ act }) => !FREE_ACTS.has(act)).length;
        const charges = chargesOf(evidence, id);
        if (charges.length <= asked) return [];
        const ends = charges.map(({ status }) => status).join(" and ");
        return [
          {
            id,
            what: `The customer of ${id} asked ${times(asked)} to pay, and was charged ${times(charges.length)}: ${ends}.`,
            ...whyChargedAgain(evidence, id),
          },
        ];
      }),
    ],
  },
  {
    name: "ordered-before-fulfilled",
    sentence: "Nothing is fulfilled, and nobody gets access, unless a customer asked for it.",
    misunderstanding: "Every event is about an order or a membership of this shop.",
    remedy:
      "Store the id of each payment and subscription that you create, and look events up by it. An event about anything else changes nothing: answer it with 2xx, and set it aside.",
    holds: "always",
    unjudged: (evidence) => {
      const why = noOrders(evidence);
      return why === undefined || noMemberships(evidence) === undefined ? undefined : why;
    },
    reached: ({ seen }) =>
      seen.readings.some(
        ({ books: { orders = [], memberships = [] } }) =>
          orders.some(({ fulfilments }) => fulfilments > 0) || memberships.some(({ hasAccess }) => hasAccess),
      ),
    breaches: (evidence) => {
      const isNew = isOfNobody(evidence);
      const areOrdersKnown = noOrders(evidence) === undefined;
      const areMembershipsKnown = noMemberships(evidence) === undefined;
      return evidence.seen.readings.flatMap(({ books: { orders = [], memberships = [] } }): Breach[] => [
        ...orders.flatMap(({ id, fulfilments }): Breach[] =>
          areOrdersKnown && fulfilments > 0 && isNew(id)
            ? [{ id, what: `${id} was fulfilled, and no customer ordered it.` }]
            : [],
        ),
        ...memberships.flatMap(({ id, hasAccess }): Breach[] =>
          areMembershipsKnown && hasAccess && isNew(id)
            ? [{ id, what: `${id} has access, and no customer joined under this id.` }]
            : [],
        ),
      ]);
    },
  },
  {
    name: "cancelled-as-asked",
    sentence: "The merchant cancels no paid subscription of a member who has not left.",
    misunderstanding: "When a call fails, nothing was paid, and what it began can be cancelled.",
    remedy:
      "Cancel a subscription when its member leaves, or when its payment has failed. When an answer is missing, read the status of the subscription before you decide.",
    holds: "always",
    unjudged: noMemberships,
    reached: ({ subscriptions }) => subscriptions.some(({ owner }) => owner !== undefined),
    breaches: (evidence) =>
      evidence.subscriptions.flatMap((subscription): Breach[] => {
        const { owner, id, cancelledAt } = subscription;
        if (owner === undefined || cancelledAt === undefined) return [];
        const at = OriginalDate.parse(cancelledAt);
        const isAsked = evidence.seen.acts.some((act) => act.act === "leave" && act.id === owner && act.at <= at);
        // A merchant may cancel what was begun twice.
        const isDouble = evidence.subscriptions.some(
          (each) => each.owner === owner && each.id !== id && !(OriginalDate.parse(each.cancelledAt ?? "") <= at),
        );
        if (isAsked || isDouble || !isPaid(evidence, subscription, at) || !isByMerchant(evidence, id, at)) return [];
        return [{ id: owner, what: `The merchant cancelled the paid subscription of ${owner}, who has not left.` }];
      }),
  },
];

/** Returns the payments that the merchant confirmed for a customer, and the first payments of the subscriptions that it began. */
function chargesOf(evidence: Evidence, id: string): readonly { readonly status: string }[] {
  const { payments, subscriptions, invoices, moves } = evidence;
  const isConfirmed = (payment: string): boolean => moves.get(payment)?.some(({ to }) => CONFIRMED.has(to)) === true;
  const own = payments.filter((each) => each.owner === id && each.purpose === "payment_intent" && isConfirmed(each.id));
  const firsts = subscriptions.flatMap((subscription) => {
    const first = invoices.find(({ subscriptionId }) => subscriptionId === subscription.id)?.paymentIntent;
    return subscription.owner === id && first !== undefined && isConfirmed(first.id) ? [first] : [];
  });
  return [...own, ...firsts];
}

/** Returns the payments of a customer that succeeded, and that the merchant confirmed after an act had begun. */
function confirmedSince({ payments, seen, succeededAt }: Evidence, { id, at }: ObservedAct): readonly TiedPayment[] {
  return payments.filter(
    (payment) =>
      payment.owner === id &&
      succeededAt.has(payment.id) &&
      seen.calls.some(
        (call) => call.route === "payment-intent.confirm" && call.at >= at && call.what.includes(payment.id),
      ),
  );
}

/** Returns whether the books had no such id when the story began, and no customer has used it, alone or as a part of it. */
function isOfNobody({ seen }: Evidence): (id: string) => boolean {
  const ids = new Set(seen.acts.map((act) => act.id));
  const { orders = [], memberships = [] } = seen.readings[0]?.books ?? {};
  const given = new Set([...orders, ...memberships].map((each) => each.id));
  return (id) => !given.has(id) && ![...ids].some((each) => id.includes(each));
}

/** Whether a member had paid for the time after a moment, or was being charged the first time. */
function isPaid(
  { invoices, succeededAt }: Evidence,
  { id, currentPeriodStart }: TiedSubscription,
  at: number,
): boolean {
  const own = invoices.filter(({ subscriptionId }) => subscriptionId === id);
  if (currentPeriodStart === undefined) return own.some(({ paymentIntent }) => succeededAt.has(paymentIntent.id));
  return own.some(
    ({ paidAt = "", periodEnd }) => OriginalDate.parse(paidAt) <= at && OriginalDate.parse(periodEnd) > at,
  );
}

function isByMerchant({ seen }: Evidence, id: string, at: number): boolean {
  return seen.calls.some(
    (call) =>
      call.route === "subscription.cancel" &&
      call.what.endsWith(`/${id}`) &&
      call.at <= at &&
      (call.answeredAt ?? Infinity) >= at,
  );
}

function times(count: number): string {
  return count === 0 ? "not at all" : count === 1 ? "once" : `${count} times`;
}
