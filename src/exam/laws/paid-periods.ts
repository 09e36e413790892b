import { OriginalDate } from "../../kit/base/runtime/dates.ts";
import type { SubscriptionView } from "../../simulator/payment-service.ts";
import type { Evidence } from "../evidence.ts";
import type { BooksReading } from "../playing/observations.ts";
import { hasHadTime } from "./knowledge.ts";

/** Clients round moments to days, in their own time zones. */
export const HALF_A_DAY = 43_200_000;

/** Returns when the paid time ends, judged at a moment; both in milliseconds since 1970. */
export function paidEnd({ invoices }: Evidence, subscriptions: readonly SubscriptionView[], moment: number): number {
  const own = new Set(subscriptions.map(({ id }) => id));
  const ends = invoices.flatMap(({ subscriptionId, paidAt, periodEnd }) =>
    own.has(subscriptionId) && paidAt !== undefined && OriginalDate.parse(paidAt) <= moment
      ? [OriginalDate.parse(periodEnd)]
      : [],
  );
  return Math.max(-Infinity, ...ends);
}

/** Whether a member whose subscription is cancelled must have access; undefined where both are right. */
export function accessOfCancelled(
  evidence: Evidence,
  reading: BooksReading,
  subscription: SubscriptionView,
): boolean | undefined {
  const policy = evidence.policy.access?.cancelled;
  const end = paidEnd(evidence, [subscription], reading.at);
  if (policy === "until period end") {
    if (reading.at <= end - HALF_A_DAY) return true;
    return hasHadTime(evidence, reading, end + HALF_A_DAY) ? false : undefined;
  }
  if (end > reading.at) return policy;
  return policy === true ? undefined : false;
}
