import { plans } from "./memberships.ts";
import type { Memberships, MembershipStatus } from "./memberships.ts";
import type { Order, Orders, OrderStatus } from "./orders.ts";

const INTENT_MOVES: Readonly<Record<string, OrderStatus>> = {
  processing: "pending",
  succeeded: "paid",
  failed: "failed",
  canceled: "cancelled",
};
const CHECKOUT_MOVES: Readonly<Record<string, OrderStatus>> = {
  processing: "pending",
  completed: "paid",
  failed: "failed",
  cancelled: "cancelled",
  expired: "expired",
};

const MEMBERSHIP_MOVES: Readonly<Record<string, MembershipStatus>> = {
  "subscription.activated": "active",
  "subscription.past_due": "past_due",
  "subscription.unpaid": "unpaid",
  "subscription.cancelled": "cancelled",
};

/** The content of an event about a payment. The two kinds of event have different shapes. */
interface Reported {
  readonly order: Order | undefined;
  readonly externalId: unknown;
  readonly amount: unknown;
  readonly move: OrderStatus | undefined;
}

/** The content of an event about a subscription. */
interface SubscriptionEvent {
  readonly type: string;
  readonly createdAt: string;
  readonly data: {
    readonly id: string;
    readonly attributes: {
      readonly externalId?: string;
      readonly plan: { readonly name: string; readonly amount: number };
      readonly invoice?: { readonly periodEnd: string };
    };
  };
}

type Fields = Readonly<Record<string, unknown>>;

/** An event of any type, known or not. */
export interface PaymentServiceEvent extends Fields {
  readonly id: string;
  readonly type: string;
}

/** The result of an event. `unknown` asks for a retry, because the shop may not have saved the payment yet. */
export type Outcome = "applied" | "duplicate" | "unknown" | "suspicious" | "malformed";

/** Reads a body with a valid signature. Returns undefined if it is not an event. */
export function parsed(body: string): PaymentServiceEvent | undefined {
  try {
    const event: unknown = JSON.parse(body);
    return isObject(event) && typeof event["id"] === "string" && typeof event["type"] === "string"
      ? (event as PaymentServiceEvent)
      : undefined;
  } catch {
    return undefined;
  }
}

/** Applies events to orders and memberships, each event once. */
export class Webhooks {
  readonly #orders: Orders;
  readonly #memberships: Memberships;
  readonly #seen = new Set<string>();

  constructor(orders: Orders, memberships: Memberships) {
    this.#orders = orders;
    this.#memberships = memberships;
  }

  /** @param event the event of a body with a valid signature */
  receive(event: PaymentServiceEvent): Outcome {
    const { id, type } = event;
    if (!hasItsData(event)) return "malformed";
    if (this.#seen.has(id)) return "duplicate";
    const isSubscription = type.startsWith("subscription.");
    const outcome = isSubscription ? this.#toMembership(event as unknown as SubscriptionEvent) : this.#toOrder(event);
    if (outcome !== "unknown") this.#seen.add(id);
    return outcome;
  }

  #toOrder(event: PaymentServiceEvent): Outcome {
    const { order, externalId, amount, move } = this.#read(event);
    // The events of the subscription report its payments too.
    if (order === undefined) return this.#memberships.get(String(externalId)) === undefined ? "unknown" : "applied";
    // A valid signature says who sent the event, not that it is about this order and the full price.
    if (externalId !== order.id || amount !== order.amount) return "suspicious";
    if (move !== undefined) this.#orders.move(order, move);
    return "applied";
  }

  #toMembership({ type, createdAt, data: { id, attributes } }: SubscriptionEvent): Outcome {
    const membership = this.#memberships.bySubscription(id);
    if (membership === undefined) return "unknown";
    const { plan, invoice } = attributes;
    if (attributes.externalId !== membership.id || plan.amount !== plans[plan.name]?.amount) return "suspicious";
    const move = MEMBERSHIP_MOVES[type];
    if (move !== undefined) this.#memberships.move(membership, move, createdAt);
    if (type === "subscription.invoice.paid" && invoice !== undefined)
      this.#memberships.paid(membership, plan.name, invoice.periodEnd);
    return "applied";
  }

  #read(event: PaymentServiceEvent): Reported {
    if (event.type.startsWith("payment_intent.")) {
      const data = event["data"] as { readonly id: string; readonly attributes: Fields };
      const { status, externalId, amount } = data.attributes;
      return {
        order: this.#orders.byPayment({ intentId: data.id }),
        externalId,
        amount,
        move: intentMove(String(status)),
      };
    }
    const { status, externalId, amount, sessionToken } = event;
    return {
      order: this.#orders.byPayment({ sessionToken: String(sessionToken) }),
      externalId,
      amount,
      move: checkoutMove(String(status)),
    };
  }
}

function hasItsData({ type, data }: PaymentServiceEvent): boolean {
  const [kind] = type.split(".", 1);
  if (kind !== "payment_intent" && kind !== "subscription") return true;
  const attributes = isObject(data) ? data["attributes"] : undefined;
  return isObject(attributes) && (kind === "payment_intent" || isObject(attributes["plan"]));
}

function isObject(value: unknown): value is Fields {
  return typeof value === "object" && value !== null;
}

/** Returns the order's status for a payment intent's status; undefined if it stays the same. */
export function intentMove(status: string): OrderStatus | undefined {
  return INTENT_MOVES[status];
}

/** Returns the order's status for a checkout session's status; undefined if it stays the same. */
export function checkoutMove(status: string): OrderStatus | undefined {
  return CHECKOUT_MOVES[status];
}
