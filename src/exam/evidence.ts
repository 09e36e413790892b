import type { IntentView, SubscriptionView } from "../simulator/payment-service.ts";
import type { OrderInBooks, Policy } from "./options.ts";
import type { BooksReading, Observations } from "./stage/observations.ts";

/** What the laws judge: what the service knows, what the merchant believes, and what was seen in between. */
export interface Evidence {
  readonly seen: Observations;
  /** Every payment of the story, in the end. */
  readonly payments: readonly TiedPayment[];
  readonly subscriptions: readonly (SubscriptionView & { readonly owner: string | undefined })[];
  /** When each payment succeeded, in milliseconds since 1970, by its id. */
  readonly succeededAt: ReadonlyMap<string, number>;
  readonly policy: Policy;
  /** The items that one fulfilment takes from the stock, learned from a story without trouble. */
  readonly unitsOfStock: Readonly<Record<string, number>>;
  /** The events that were refused to the last, in words. */
  readonly refusedEvents: readonly string[];
}

/** A payment, and the customer's id that it belongs to. */
export interface TiedPayment extends IntentView {
  readonly owner: string | undefined;
}

/** Returns the books as they were in the end. */
export function lastReading({ seen }: Evidence): BooksReading | undefined {
  return seen.readings.findLast(({ moment }) => moment === "end");
}

/** Returns what was paid for a customer's id by a moment, in centavos. */
export function paidBy({ payments, succeededAt }: Evidence, id: string, moment: number): number {
  return payments
    .filter((payment) => payment.owner === id && (succeededAt.get(payment.id) ?? Number.NaN) <= moment)
    .reduce((sum, { amount }) => sum + amount, 0);
}

/** Returns the price that the customer agreed to: that in the books after the customer's last act on it. */
export function priceOf({ seen }: Evidence, order: OrderInBooks): number {
  return seen.acts.findLast(({ id, amount }) => id === order.id && amount !== undefined)?.amount ?? order.amount;
}

/** Returns what was given back for an order, in centavos. */
export function refundOf({ refunded = 0 }: OrderInBooks, paid: number): number {
  if (refunded === true) return paid;
  return refunded === false ? 0 : refunded;
}
