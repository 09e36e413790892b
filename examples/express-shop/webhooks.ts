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

/** What an event says about a payment; the two kinds of event have shapes of their own. */
interface Reported {
  readonly order: Order | undefined;
  readonly externalId: unknown;
  readonly amount: unknown;
  readonly move: OrderStatus | undefined;
}

/** What an event says about a subscription. */
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

/** What the shop makes of an event. What is unknown is worth a retry, for the shop may not have saved the payment yet. */
export type Outcome = "applied" | "duplicate" | "unknown" | "suspicious";

/** Applies events to orders and memberships, each event once. */
export class Webhooks {
  readonly #orders: Orders;
  readonly #memberships: Memberships;
  readonly #seen = new Set<string>();

  constructor(orders: Orders, memberships: Memberships) {
    this.#orders = orders;
    this.#memberships = memberships;
  }

  /** @param event a body whose signature was right */
  receive(event: Fields): Outcome {
    const id = String(event["id"]);
    if (this.#seen.has(id)) return "duplicate";
    const isSubscription = String(event["type"]).startsWith("subscription.");
    const outcome = isSubscription ? this.#toMembership(event as unknown as SubscriptionEvent) : this.#toOrder(event);
    if (outcome !== "unknown") this.#seen.add(id);
    return outcome;
  }

  #toOrder(event: Fields): Outcome {
    const { order, externalId, amount, move } = this.#read(event);
    // A subscription tells of its payments itself.
    if (order === undefined) return this.#memberships.get(String(externalId)) === undefined ? "unknown" : "applied";
    // A right signature says who sent it, not that it is about this order and all of its price.
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

  #read(event: Fields): Reported {
    if (String(event["type"]).startsWith("payment_intent.")) {
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

/** What a payment intent's status means for its order; undefined where it says nothing new. */
export function intentMove(status: string): OrderStatus | undefined {
  return INTENT_MOVES[status];
}

/** What a checkout session's status means for its order. */
export function checkoutMove(status: string): OrderStatus | undefined {
  return CHECKOUT_MOVES[status];
}
