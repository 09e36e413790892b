import { DEFAULT_CURRENCY } from "../report/reported-run.ts";
import type { ReportedMoney } from "../report/reported-run.ts";
import { lastReading, priceOf, refundOf } from "./evidence.ts";
import type { Evidence } from "./evidence.ts";

type Facts = Omit<Evidence, "unitsOfStock">;

/** Returns the money of each order and membership of a story at its end, in the order in which customers began them. */
export function moneyOf(evidence: Facts): readonly ReportedMoney[] {
  const ids = new Set(evidence.seen.acts.map(({ id }) => id));
  return [...ids].map((id) => moneyFor(id, evidence));
}

function moneyFor(id: string, evidence: Facts): ReportedMoney {
  const memberships = new Set(evidence.subscriptions.filter(({ owner }) => owner === id).map((each) => each.id));
  const own = evidence.payments.filter(
    ({ owner, subscriptionId = "" }) => owner === id || memberships.has(subscriptionId),
  );
  const due = evidence.invoices.filter(
    ({ subscriptionId, status }) => memberships.has(subscriptionId) && status !== "void",
  );
  const paid = sumOf(own.filter(({ status }) => status === "succeeded"));
  return {
    id,
    currency: own[0]?.currency ?? DEFAULT_CURRENCY,
    asked: sumOf(own),
    payments: own.length,
    paid,
    ...inBooks(evidence, id, paid),
    ...(memberships.size === 0 ? {} : { expected: sumOf(due) }),
    ...(id === evidence.lastCustomer?.id ? { isLast: true } : {}),
  };
}

function inBooks(evidence: Facts, id: string, paid: number): Pick<ReportedMoney, "expected" | "refunded"> {
  const order = lastReading(evidence)?.books.orders?.find((each) => each.id === id);
  return order === undefined ? {} : { expected: priceOf(evidence, order), refunded: refundOf(order, paid) };
}

function sumOf(amounts: readonly { readonly amount: number }[]): number {
  return amounts.reduce((sum, { amount }) => sum + amount, 0);
}
