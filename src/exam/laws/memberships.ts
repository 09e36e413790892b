import { OriginalDate } from "../../kit/base/runtime/dates.ts";
import type { SubscriptionView } from "../../simulator/payment-service.ts";
import type { Evidence } from "../evidence.ts";
import type { MembershipInBooks } from "../options.ts";
import { chargingBeliefs, whyChargedAgain } from "./beliefs.ts";
import type { Breach, LawOfTheExam } from "./law.ts";
import { accessOf, hasLapsed, knownMemberships, memberships, noMemberships, without } from "./membership-facts.ts";
import type { Membership } from "./membership-facts.ts";
import { HALF_A_DAY, paidEnd } from "./paid-periods.ts";
import { wordedPlans } from "./plans.ts";

export const membershipLaws: readonly LawOfTheExam[] = [
  {
    name: "paid-before-access",
    sentence: "A member has no access before the first payment has succeeded.",
    misunderstanding: "Whoever returns from the payment page, or was asked to pay, has paid.",
    remedy:
      "Open a membership when a signed event, or a status that you read, says that its subscription is active. Do not open it when the customer comes back, or when you have only asked for the payment.",
    holds: "always",
    unjudged: noMemberships,
    reached: (evidence) => memberships(evidence).length > 0,
    breaches: (evidence) =>
      memberships(evidence).flatMap((membership): Breach[] => {
        const { id, inBooks, subscriptions } = membership;
        if (!inBooks.hasAccess || paysFor(evidence, membership).some(wasActive)) return [];
        if (subscriptions.some(({ status }) => evidence.policy.access?.[status as "incomplete"] === true)) return [];
        const state = subscriptions.map(({ status }) => status).join(" and ");
        return [
          {
            id,
            what: `${id} has access, and ${state === "" ? "has no subscription at the service" : `its subscription is ${state} and ${subscriptions.some(wasActive) ? "the new one was never active" : "was never active"}`}.`,
          },
        ];
      }),
  },
  {
    name: "access-agrees",
    sentence: "A member has access if, and only if, the subscription gives it.",
    misunderstanding: "Once a membership has begun, only the member changes it.",
    remedy:
      "Let each event about a subscription, and each status that you read, decide about access: open while it is active, closed once it is unpaid or has ended. The newest status counts, in whatever order they arrive.",
    holds: "at rest",
    unjudged: noMemberships,
    leavesOut: ({ policy, seen }) =>
      policy.access?.past_due === undefined &&
      seen.readings.some(({ subscriptions }) => subscriptions.some(({ status }) => status === "past_due"))
        ? "policy.access.past_due does not say whether a membership that is past_due has access"
        : undefined,
    reached: (evidence) => knownMemberships(evidence).length > 0,
    breaches: (evidence) =>
      knownMemberships(evidence).flatMap((membership): Breach[] => {
        const expected = accessOf(evidence, membership);
        const { id, inBooks, subscriptions } = membership;
        if (expected === undefined || inBooks.hasAccess === expected || hasLapsed(evidence, membership)) return [];
        const state = subscriptions.map(({ status }) => status).join(" and ");
        return [
          {
            id,
            what: `${id} has ${expected ? "no access" : "access"}, and its subscription is ${state}${expected ? "" : sinceIn(subscriptions)}.`,
          },
        ];
      }),
  },
  {
    name: "access-lasts",
    sentence: "Access lasts until the end of the paid period.",
    misunderstanding: "A month has 30 days.",
    remedy:
      "Take the end of the period from the service (currentPeriodEnd, or the invoice's periodEnd). Months are not 30 days long.",
    holds: "at rest",
    unjudged: noMemberships,
    reached: (evidence) => knownMemberships(evidence).length > 0,
    breaches: (evidence) =>
      knownMemberships(evidence).flatMap((membership): Breach[] => {
        if (membership.inBooks.hasAccess || !hasLapsed(evidence, membership)) return [];
        const { id, reading } = membership;
        return [
          {
            id,
            what: `${id} has no access on ${day(reading.at)}, and has paid until ${day(paidEnd(evidence, membership.subscriptions, reading.at))}.`,
          },
        ];
      }),
  },
  {
    name: "paid-until-agrees",
    sentence: "A membership is paid until the end of the period that the service has billed.",
    misunderstanding: "A month has 30 days.",
    remedy: "Store the periodEnd of the invoice that was paid. Do not count days: months have 28 to 31.",
    holds: "in the end",
    unjudged: without("paidUntil"),
    reached: (evidence) => knownMemberships(evidence).length > 0,
    breaches: (evidence) =>
      knownMemberships(evidence).flatMap((membership): Breach[] => {
        const { id, inBooks, subscriptions, reading } = membership;
        const active = subscriptions.filter(({ status }) => status === "active");
        const said = momentOf(inBooks.paidUntil);
        if (active.length === 0 || said === undefined) return [];
        const ends = [
          paidEnd(evidence, subscriptions, reading.at),
          ...active.map(({ currentPeriodEnd = "" }) => OriginalDate.parse(currentPeriodEnd)),
        ];
        if (ends.some((end) => Math.abs(end - said) <= HALF_A_DAY)) return [];
        return [
          { id, what: `${id} is paid until ${day(said)} in the books, and until ${day(ends[0])} at the service.` },
        ];
      }),
  },
  {
    name: "plan-agrees",
    sentence: "A membership has the plan that the service bills.",
    misunderstanding: "A new plan takes effect as soon as it is asked for.",
    remedy:
      "A change of plan takes effect with the next invoice. Ask the service to change it, and read the plan from what it bills.",
    holds: "at rest",
    unjudged: without("plan"),
    reached: (evidence) => knownMemberships(evidence).length > 0,
    breaches: (evidence) => [
      ...memberships(evidence).flatMap((membership): Breach[] => {
        const { id, inBooks, subscriptions } = membership;
        const live = subscriptions.filter(({ status }) => status !== "cancelled");
        const [{ plan, pendingPlan } = {}] = live;
        if (live.length !== 1 || plan === undefined || pendingPlan === undefined) return [];
        const { isPlan } = wordedPlans(evidence, id);
        const word = inBooks.plan ?? "";
        if (word === "" || isPlan(word, plan) !== false || isPlan(word, pendingPlan) !== true) return [];
        return [
          {
            id,
            what: `${id} has the plan ${word} in the books, and is billed for ${plan.name} until the next invoice.`,
          },
        ];
      }),
      ...knownMemberships(evidence).flatMap(({ id, inBooks, subscriptions }): Breach[] => {
        const billed = subscriptions.filter(({ status }) => status === "active");
        const [subscription] = billed;
        if (subscription === undefined || billed.length > 1 || (inBooks.plan ?? null) === null) return [];
        const { plan, pendingPlan, latestInvoice } = subscription;
        if (pendingPlan !== undefined || latestInvoice.status !== "paid") return [];
        const words = wordedPlans(evidence, id);
        if (words.isPlan(String(inBooks.plan), plan) !== false) return [];
        return [{ id, what: `${id} has the plan ${inBooks.plan} in the books, and is billed for ${plan.name}.` }];
      }),
    ],
  },
  {
    name: "subscribed-once",
    sentence: "A member who joins once has one subscription.",
    misunderstanding: "A call without an answer did nothing, and customers click once.",
    remedy:
      "Store the membership before you call the service, and start its subscription with one Idempotency-Key. Before you start another, read whether the first one is there.",
    otherBeliefs: chargingBeliefs,
    holds: "in the end",
    unjudged: noMemberships,
    reached: ({ subscriptions }) => subscriptions.some(isBilled),
    breaches: (evidence) =>
      [...Map.groupBy(evidence.subscriptions.filter(isBilled), ({ owner }) => owner)].flatMap(([id, own]): Breach[] =>
        id === undefined || own.length < 2
          ? []
          : [{ id, what: `${id} is billed by ${own.length} subscriptions.`, ...whyChargedAgain(evidence, id) }],
      ),
  },
  {
    name: "leaves-for-good",
    sentence: "A member who has left is not billed again.",
    misunderstanding: "A cancellation that was sent has arrived.",
    remedy:
      "Cancel the subscription at the service before you tell a member that it has ended, and try again until it answers.",
    holds: "in the end",
    unjudged: ({ seen }) => (seen.acts.some(({ act }) => act === "leave") ? undefined : "no member left"),
    reached: ({ seen }) => seen.acts.some(({ act, status = 500 }) => act === "leave" && status < 400),
    breaches: ({ seen, subscriptions, invoices }) =>
      seen.acts.flatMap(({ act, id, at, status = 500 }, index): Breach[] => {
        if (act !== "leave" || status >= 400) return [];
        if (seen.acts.slice(index).some((later) => later.act === "join" && later.id === id)) return [];
        const own = new Set(subscriptions.flatMap(({ id: each, owner }) => (owner === id ? [each] : [])));
        const billed = invoices.filter(
          ({ subscriptionId, status: state, createdAt }) =>
            own.has(subscriptionId) && state === "paid" && OriginalDate.parse(createdAt) > at,
        );
        return billed.length === 0
          ? []
          : [
              {
                id,
                what: `${id} left on ${day(at)}, and has paid ${billed.length === 1 ? "1 invoice" : `${billed.length} invoices`} since.`,
              },
            ];
      }),
  },
];

/** Returns the subscriptions that may pay for access, without those that had ended, with the paid time, when the member last had none. */
function paysFor(evidence: Evidence, { reading, id, subscriptions }: Membership): readonly SubscriptionView[] {
  const { readings } = evidence.seen;
  const closed = readings
    .slice(0, readings.indexOf(reading))
    .findLast(({ books }) => books.memberships?.some((each) => each.id === id && !each.hasAccess) === true);
  if (closed === undefined) return subscriptions;
  return subscriptions.filter((subscription) => {
    const then = closed.subscriptions.find((each) => each.id === subscription.id);
    const hasEnded = then?.status === "cancelled" || then?.status === "incomplete_cancelled";
    return !hasEnded || paidEnd(evidence, [subscription], reading.at) > reading.at;
  });
}

function wasActive({ currentPeriodStart }: SubscriptionView): boolean {
  return currentPeriodStart !== undefined;
}

function isBilled({ status }: SubscriptionView): boolean {
  return status === "active" || status === "past_due" || status === "unpaid";
}

function sinceIn(subscriptions: readonly SubscriptionView[]): string {
  const [{ cancelledAt } = {}] = subscriptions;
  return cancelledAt === undefined ? "" : ` since ${day(OriginalDate.parse(cancelledAt))}`;
}

function momentOf(paidUntil: MembershipInBooks["paidUntil"]): number | undefined {
  if (paidUntil === undefined || paidUntil === null || paidUntil === "") return undefined;
  const moment = new OriginalDate(paidUntil).getTime();
  return Number.isNaN(moment) ? undefined : moment;
}

/** Formats a day, such as 2026-02-01. */
function day(moment: number | undefined): string {
  return moment === undefined || !Number.isFinite(moment)
    ? "never"
    : new OriginalDate(moment).toISOString().slice(0, 10);
}
