import type { SubscriptionView } from "../../simulator/payment-service.ts";
import type { Evidence } from "../evidence.ts";
import type { MembershipInBooks } from "../options.ts";
import type { BooksReading } from "../playing/observations.ts";
import { knowsSubscriptions } from "./knowledge.ts";
import { accessOfCancelled, paidEnd } from "./paid-periods.ts";

/** A membership in the books at one reading, and the service's subscriptions that pay for it. */
export interface Membership {
  readonly reading: BooksReading;
  readonly id: string;
  readonly inBooks: MembershipInBooks;
  readonly subscriptions: readonly SubscriptionView[];
}

export const noMemberships = ({ seen }: Evidence): string | undefined => {
  const all = seen.readings.flatMap(({ books }) => books.memberships ?? []);
  if (seen.readings.every(({ books }) => books.memberships === undefined)) return "the books have no memberships";
  const ids = new Set(seen.acts.map(({ id }) => id));
  if (all.length > 0 && !all.some(({ id }) => ids.has(id)))
    return "no membership in the books has an id that a customer used";
  return undefined;
};

/** Says why a fact that memberships may omit cannot be judged. */
export const without =
  (fact: "paidUntil" | "plan") =>
  (evidence: Evidence): string | undefined =>
    noMemberships(evidence) ??
    (evidence.seen.readings.some(({ books }) => books.memberships?.some((each) => (each[fact] ?? null) !== null))
      ? undefined
      : `the memberships in the books have no ${fact}`);

export function memberships({ seen }: Evidence): readonly Membership[] {
  const isTied = (id: string): boolean => seen.owners.has(id) || seen.foreign.has(id);
  return seen.readings.flatMap((reading) => {
    // A subscription without a known owner may belong to anybody.
    if (!reading.subscriptions.every(({ id }) => isTied(id))) return [];
    return (reading.books.memberships ?? []).flatMap((inBooks): Membership[] => {
      const { id } = inBooks;
      if (!seen.acts.some((act) => act.id === id)) return [];
      return [
        {
          reading,
          id,
          inBooks,
          subscriptions: reading.subscriptions.filter((each) => seen.owners.get(each.id) === id),
        },
      ];
    });
  });
}

/** Returns the memberships at readings where the merchant could know the facts. */
export function knownMemberships(evidence: Evidence): readonly Membership[] {
  return memberships(evidence).filter(
    ({ reading, id, subscriptions }) => subscriptions.length > 0 && knowsSubscriptions(evidence, reading, id),
  );
}

/** Whether a member must have access; undefined where both are right. */
export function accessOf(evidence: Evidence, membership: Membership): boolean | undefined {
  const { subscriptions, reading } = membership;
  const policy = evidence.policy.access ?? {};
  const each = subscriptions.map((subscription) => {
    const { status } = subscription;
    const isPaid = paidEnd(evidence, [subscription], reading.at) > reading.at;
    // While a renewal is being charged, the period is not paid yet and the subscription is still active. A member who
    // has left may keep access.
    if (status === "active") return (isPaid && !hasLeft(evidence, membership)) || undefined;
    if (status === "cancelled") return accessOfCancelled(evidence, reading, subscription);
    if (status === "past_due") return policy.past_due;
    return policy[status] ?? false;
  });
  if (each.some((access) => access === true)) return true;
  return each.every((access) => access === false) ? false : undefined;
}

/** Whether a member had left by a reading, according to the merchant. */
function hasLeft({ seen }: Evidence, { id, reading }: Membership): boolean {
  return seen.acts.some(
    (act) => act.act === "leave" && act.id === id && act.at <= reading.at && (act.status ?? 500) < 400,
  );
}

/** Whether a member lost access before the end of the paid period. */
export function hasLapsed(evidence: Evidence, membership: Membership): boolean {
  const { reading, id, inBooks, subscriptions } = membership;
  if (inBooks.hasAccess || accessOf(evidence, membership) !== true) return false;
  const { readings } = evidence.seen;
  return readings
    .slice(0, readings.indexOf(reading))
    .some(
      ({ books, subscriptions: earlier }) =>
        books.memberships?.some((each) => each.id === id && each.hasAccess) === true &&
        subscriptions.some(({ id: own, status, currentPeriodEnd }) =>
          earlier.some(
            (each) =>
              each.id === own &&
              each.status === "active" &&
              status === "active" &&
              each.currentPeriodEnd === currentPeriodEnd,
          ),
        ),
    );
}
