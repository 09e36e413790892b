import type { PlanView, IntentView, InvoiceView, SubscriptionView } from "../simulator/payment-service.ts";
import type { OrderInBooks, Policy } from "./options.ts";
import type { BooksReading, Observations, UnansweredRequest } from "./playing/observations.ts";

/**
 * What the laws judge in one story: what the service knows, what the merchant believes, and what was observed between
 * them. Moments are in milliseconds since 1970, amounts in centavos.
 */
export interface Evidence {
  readonly seen: Observations;
  /** Every payment at the end of the story. */
  readonly payments: readonly TiedPayment[];
  readonly subscriptions: readonly TiedSubscription[];
  /** Every subscription invoice at the end of the story. */
  readonly invoices: readonly InvoiceView[];
  /** Every event that the service announced, in order. */
  readonly events: readonly SentEvent[];
  /** Whether the bodies of events differ from what `JSON.stringify` writes. */
  readonly hasSpacedBodies: boolean;
  /** The merchant's plans at the service. */
  readonly plans: readonly PlanView[];
  /** The moves of each payment in order, by its id. */
  readonly moves: ReadonlyMap<string, readonly PaymentMove[]>;
  /** When each payment succeeded, by its id. */
  readonly succeededAt: ReadonlyMap<string, number>;
  /** The requests that the merchant never answered although its program was running. */
  readonly unanswered: readonly UnansweredRequest[];
  /** The customer who paid with a good card after all faults had ended; undefined when no act orders or joins. */
  readonly lastCustomer: { readonly id: string; readonly act: string } | undefined;
  readonly policy: Policy;
  readonly jobs: readonly JobInEvidence[];
  /** How many of each item one fulfilment takes from the stock, learned from a story without trouble. */
  readonly unitsOfStock: Readonly<Record<string, number>>;
}

/** A job of the merchant. */
export interface JobInEvidence {
  readonly run: object;
  /** In milliseconds. */
  readonly every: number;
}

/** A payment, with its customer's id. */
export interface TiedPayment extends IntentView {
  readonly owner: string | undefined;
}

/** A step of a payment at the service. */
export interface PaymentMove {
  readonly at: number;
  /** Its status from then on, such as `processing`. */
  readonly to: string;
}

/** A subscription, with its customer's id. */
export interface TiedSubscription extends SubscriptionView {
  readonly owner: string | undefined;
}

/** An event that the service announced to the merchant. */
export interface SentEvent {
  readonly id: string;
  readonly type: string;
  /** The id of its payment, session or subscription; undefined when its body names none. */
  readonly about: string | undefined;
  /** The customer's id; undefined when the merchant cannot know it. */
  readonly owner: string | undefined;
  readonly announcedAt: number;
  /** When the merchant answered the genuine event with 2xx; undefined when it never did. */
  readonly takenAt: number | undefined;
  /** Whether a fault invented the event: a copy with another id, an unknown type or an unknown object. */
  readonly madeUp: boolean;
  /** `exhausted` when every attempt was refused. */
  readonly status: string;
  /** The latest delivery. */
  readonly last:
    | {
        /** When it was sent, and when it ended, in milliseconds since 1970. */
        readonly at: number;
        readonly endedAt: number;
        /** The status of the merchant's answer; undefined when none came. */
        readonly answered: number | undefined;
        /** Whether a fault struck the delivery, so that the merchant may rightly refuse it. */
        readonly struck: boolean;
        readonly inWords: string;
      }
    | undefined;
}

export function lastReading({ seen }: Pick<Evidence, "seen">): BooksReading | undefined {
  return seen.readings.findLast(({ moment }) => moment === "end");
}

/** Returns how much was paid for an order by a moment, in centavos. */
export function paidBy(evidence: Evidence, id: string, moment: number): number {
  return succeededBy(evidence, paymentsOf(evidence, id), moment);
}

/** Returns how much may have been paid for an order by a moment, in centavos: a payment of unknown owner may be for any order. */
export function mostPaidBy(evidence: Evidence, id: string, moment: number): number {
  return succeededBy(evidence, [...paymentsOf(evidence, id), ...paymentsOfNobody(evidence)], moment);
}

function succeededBy({ succeededAt }: Evidence, payments: readonly TiedPayment[], moment: number): number {
  return payments
    .filter(({ id }) => (succeededAt.get(id) ?? Number.NaN) <= moment)
    .reduce((sum, { amount }) => sum + amount, 0);
}

/** Returns an order's payments, without those of a subscription with the same id. */
export function paymentsOf({ payments }: Evidence, id: string): readonly TiedPayment[] {
  return payments.filter(({ owner, purpose }) => owner === id && purpose !== "subscription");
}

/** Returns the price that the customer had accepted by a moment: the one in the books after the customer's last act. */
export function priceOf({ seen }: Pick<Evidence, "seen">, order: OrderInBooks, moment = Infinity): number {
  const act = seen.acts.findLast(({ id, at }) => id === order.id && at <= moment);
  // While the merchant's program is down, the books cannot be read.
  const inBooks = act?.amount ?? order.amount;
  const chosen = seen.acts.findLast(
    ({ id, at, chosen: own }) => id === order.id && at <= moment && own?.amount,
  )?.chosen;
  const [price, pieces] = [chosen?.amount, chosen?.quantity ?? 1];
  // A difference of a centavo for each piece is a mistake in arithmetic. Any other may be a fee or a discount.
  return price !== undefined && Math.abs(price * pieces - inBooks) <= pieces ? price * pieces : inBooks;
}

/** Returns the payments for which no order is known, without those of another system. */
export function paymentsOfNobody({ payments, seen }: Evidence): readonly TiedPayment[] {
  return payments.filter(
    ({ id, owner, purpose }) => owner === undefined && purpose !== "subscription" && !seen.foreign.has(id),
  );
}

/** Whether an order was paid by a moment, and has been neither fulfilled nor given back. */
export function isOwed(evidence: Evidence, order: OrderInBooks, moment: number): boolean {
  const paid = paidBy(evidence, order.id, moment);
  return order.fulfilments === 0 && paid >= priceOf(evidence, order) && paid - refundOf(order, paid) > 0;
}

/** Returns how many pieces a customer ordered. */
export function quantityOf({ seen }: Pick<Evidence, "seen">, order: string): number {
  return seen.acts.findLast(({ id, chosen }) => id === order && chosen?.quantity !== undefined)?.chosen?.quantity ?? 1;
}

/** Returns how much of an order was refunded, in centavos. */
export function refundOf({ refunded }: OrderInBooks, paid: number): number {
  return refunded === true ? paid : Number(refunded ?? 0);
}
