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

/** What an event says about a payment; the two kinds of event have shapes of their own. */
interface Reported {
  readonly order: Order | undefined;
  readonly externalId: unknown;
  readonly amount: unknown;
  readonly move: OrderStatus | undefined;
}

type Fields = Readonly<Record<string, unknown>>;

/** What the shop makes of an event. `unknown order` is worth a retry, for the shop may not have saved the payment yet. */
export type Outcome = "applied" | "duplicate" | "unknown order" | "suspicious";

/** Applies events to orders, each event once. */
export class Webhooks {
  readonly #orders: Orders;
  readonly #seen = new Set<string>();

  constructor(orders: Orders) {
    this.#orders = orders;
  }

  /** @param event a body whose signature was right */
  receive(event: Fields): Outcome {
    const id = String(event["id"]);
    if (this.#seen.has(id)) return "duplicate";
    const { order, externalId, amount, move } = this.#read(event);
    if (order === undefined) return "unknown order";
    this.#seen.add(id);
    // A right signature says who sent it, not that it is about this order and all of its price.
    if (externalId !== order.id || amount !== order.amount) return "suspicious";
    if (move !== undefined) this.#orders.move(order, move);
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
