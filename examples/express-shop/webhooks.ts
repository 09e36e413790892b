import { plans } from "./memberships.ts";
import type { Memberships, MembershipStatus } from "./memberships.ts";
import type { Order, Orders, OrderStatus } from "./orders.ts";
import { emptyStore } from "./store.ts";
import type { ShopStore } from "./store.ts";

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
  active: "active",
  past_due: "past_due",
  unpaid: "unpaid",
  cancelled: "cancelled",
  incomplete_cancelled: "cancelled",
};

const MEMBERSHIP_EVENTS: Readonly<Record<string, MembershipStatus>> = {
  "subscription.activated": "active",
  "subscription.past_due": "past_due",
  "subscription.unpaid": "unpaid",
  "subscription.cancelled": "cancelled",
};

/** The content of an event about a payment. The two kinds of event have different shapes. */
interface Reported {
  readonly paymentId: string;
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

/**
 * The result of an event. `unknown` asks for a retry, because the shop may not have saved the payment yet. `ignored` is one that
 * changes nothing here, such as one of a type that the shop does not know.
 */
export type Outcome = "applied" | "duplicate" | "ignored" | "unknown" | "suspicious" | "malformed";

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
  readonly #seen: ShopStore["events"];

  constructor(orders: Orders, memberships: Memberships, { events }: Pick<ShopStore, "events"> = emptyStore()) {
    this.#orders = orders;
    this.#memberships = memberships;
    this.#seen = events;
  }

  /** @param event the event of a body with a valid signature */
  receive(event: PaymentServiceEvent): Outcome {
    const { id, type } = event;
    if (!KINDS.has(kindOf(type))) return "ignored";
    if (!hasItsData(event)) return "malformed";
    if (this.#seen.has(id)) return "duplicate";
    const isSubscription = kindOf(type) === "subscription";
    const outcome = isSubscription ? this.#toMembership(event as unknown as SubscriptionEvent) : this.#toOrder(event);
    // Last, so that an event which the shop could not apply comes again.
    if (outcome !== "unknown") this.#seen.add(id);
    return outcome;
  }

  #toOrder(event: PaymentServiceEvent): Outcome {
    const { paymentId, order, externalId, amount, move } = this.#read(event);
    if (order === undefined) {
      // The events of the subscription report its payments too, and a payment that came to nothing is not missed.
      const isMissed = this.#memberships.get(String(externalId)) === undefined && !isOver(move);
      return isMissed ? "unknown" : "ignored";
    }
    // A valid signature says who sent the event, not that it is about this order and what the shop asked for.
    const asked = order.payments.find(({ id }) => id === paymentId)?.amount;
    if (externalId !== order.id || amount !== asked) return "suspicious";
    if (move !== undefined) this.#orders.move(order, move, paymentId);
    return "applied";
  }

  #toMembership({ type, createdAt, data: { id, attributes } }: SubscriptionEvent): Outcome {
    const membership = this.#memberships.bySubscription(id);
    if (membership === undefined) return type === "subscription.cancelled" ? "ignored" : "unknown";
    const { plan, invoice } = attributes;
    if (attributes.externalId !== membership.id || plan.amount !== plans[plan.name]?.amount) return "suspicious";
    const move = MEMBERSHIP_EVENTS[type];
    if (move !== undefined) this.#memberships.move(membership, move, createdAt);
    if (type === "subscription.invoice.paid" && invoice !== undefined)
      this.#memberships.paid(membership, plan.name, invoice.periodEnd);
    return "applied";
  }

  #read(event: PaymentServiceEvent): Reported {
    if (kindOf(event.type) === "payment_intent") {
      const data = event["data"] as { readonly id: string; readonly attributes: Fields };
      const { status, externalId, amount } = data.attributes;
      return {
        paymentId: data.id,
        order: this.#orders.byPayment(data.id),
        externalId,
        amount,
        move: intentMove(String(status)),
      };
    }
    const { status, externalId, amount } = event;
    const paymentId = String(event["sessionToken"]);
    return {
      paymentId,
      order: this.#orders.byPayment(paymentId),
      externalId,
      amount,
      move: checkoutMove(String(status)),
    };
  }
}

/** The kinds of event that the shop knows. */
const KINDS: ReadonlySet<string> = new Set(["payment_intent", "checkout", "subscription"]);

function kindOf(type: string): string {
  return type.split(".", 1).join();
}

function hasItsData({ type, data }: PaymentServiceEvent): boolean {
  const kind = kindOf(type);
  if (kind === "checkout") return true;
  const attributes = isObject(data) ? data["attributes"] : undefined;
  return isObject(attributes) && (kind === "payment_intent" || isObject(attributes["plan"]));
}

/** Whether a payment has ended without success. */
function isOver(move: OrderStatus | undefined): boolean {
  return move === "failed" || move === "cancelled" || move === "expired";
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

/** Returns the membership's status for a subscription's status; undefined if it stays the same. */
export function membershipMove(status: string): MembershipStatus | undefined {
  return MEMBERSHIP_MOVES[status];
}
