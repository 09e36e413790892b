import type { PlanView, IntentView, InvoiceView, SubscriptionView } from "../simulator/payment-service.ts";
import type { OrderInBooks, Policy } from "./options.ts";
import type { BooksReading, Observations, UnansweredRequest } from "./stage/observations.ts";

/**
 * What the laws judge about one story: what the service knows, what the merchant believes, and what was seen in between. Moments are in
 * milliseconds since 1970, amounts in centavos.
 */
export interface Evidence {
  readonly seen: Observations;
  /** Every payment of the story, in the end. */
  readonly payments: readonly TiedPayment[];
  readonly subscriptions: readonly TiedSubscription[];
  /** Every invoice of the subscriptions, in the end. */
  readonly invoices: readonly InvoiceView[];
  /** Every event that the service announced, in order. */
  readonly events: readonly SentEvent[];
  /** The plans of the merchant at the service. */
  readonly plans: readonly PlanView[];
  /** When each payment succeeded, by its id. */
  readonly succeededAt: ReadonlyMap<string, number>;
  /** What the merchant was asked and never answered, although its program ran to the end. */
  readonly unanswered: readonly UnansweredRequest[];
  /** The customer who came with a good card when everything had healed; undefined when no act orders or joins. */
  readonly lastCustomer: { readonly id: string; readonly act: string } | undefined;
  readonly policy: Policy;
  /** Whether the merchant has jobs. */
  readonly hasJobs: boolean;
  /** The items that one fulfilment takes from the stock, learned from a story without trouble. */
  readonly unitsOfStock: Readonly<Record<string, number>>;
}

/** A payment, and the customer's id that it belongs to. */
export interface TiedPayment extends IntentView {
  readonly owner: string | undefined;
}

/** A subscription, and the customer's id that it belongs to. */
export interface TiedSubscription extends SubscriptionView {
  readonly owner: string | undefined;
}

/** An event that the service announced to the merchant. */
export interface SentEvent {
  readonly id: string;
  readonly type: string;
  /** The id of the payment, session or subscription that it is about; undefined when its body names none. */
  readonly about: string | undefined;
  /** The customer's id that it belongs to; undefined for what the merchant cannot know. */
  readonly owner: string | undefined;
  readonly announcedAt: number;
  /** When the merchant took it: answered it with 2xx, as the service sent it. Undefined when it never did. */
  readonly takenAt: number | undefined;
  /** Whether a fault made it up: a copy under another id, or an event of an unknown type or about an unknown object. */
  readonly madeUp: boolean;
  /** `exhausted`: refused to the last. */
  readonly status: string;
  /** What came of the last delivery. */
  readonly last:
    | {
        /** When it was sent, and when it ended, in milliseconds since 1970. */
        readonly at: number;
        readonly endedAt: number;
        /** The status that the merchant answered; undefined when no answer came. */
        readonly answered: number | undefined;
        /** Whether a fault struck the delivery, so that the merchant may be right to refuse it. */
        readonly struck: boolean;
        readonly inWords: string;
      }
    | undefined;
}

/** Returns the books as they were in the end. */
export function lastReading({ seen }: Evidence): BooksReading | undefined {
  return seen.readings.findLast(({ moment }) => moment === "end");
}

/** Returns what was paid for an order by a moment, in centavos. */
export function paidBy(evidence: Evidence, id: string, moment: number): number {
  const { succeededAt } = evidence;
  return paymentsOf(evidence, id)
    .filter((payment) => (succeededAt.get(payment.id) ?? Number.NaN) <= moment)
    .reduce((sum, { amount }) => sum + amount, 0);
}

/** Returns the payments of an order. Those of a membership are its subscription's, even where both have the same id. */
export function paymentsOf({ payments }: Evidence, id: string): readonly TiedPayment[] {
  return payments.filter(({ owner, purpose }) => owner === id && purpose !== "subscription");
}

/** Returns the price that the customer agreed to by a moment: that in the books after the customer's last act on it. */
export function priceOf({ seen }: Evidence, order: OrderInBooks, moment = Infinity): number {
  const act = seen.acts.findLast(({ id, at }) => id === order.id && at <= moment);
  // Nobody could read it when the merchant's program was down.
  return act?.amount ?? order.amount;
}

/** Returns what was given back for an order, in centavos. */
export function refundOf({ refunded = 0 }: OrderInBooks, paid: number): number {
  if (refunded === true) return paid;
  return refunded === false ? 0 : refunded;
}
