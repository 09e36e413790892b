/** The status of an order. `paid`, `failed`, `cancelled` and `expired` are final. */
export type OrderStatus = "pending" | "requires_action" | "paid" | "failed" | "cancelled" | "expired";

export interface Order {
  readonly id: string;
  readonly sku: string;
  readonly quantity: number;
  /** Centavos. */
  readonly amount: number;
  readonly customer: { readonly name: string; readonly email: string };
  status: OrderStatus;
  /** The page where the customer must finish the payment. */
  redirectUrl?: string;
  /** The id of the payment at the payment service, once it was created: one of the two. */
  intentId?: string;
  sessionToken?: string;
}

/** Centavos. */
export const prices: Readonly<Record<string, number>> = { book: 49_900, notebook: 12_500, pen: 3500 };

const UNSETTLED: ReadonlySet<OrderStatus> = new Set(["pending", "requires_action"]);

/** The shop's orders. A real shop has a database here. */
export class Orders {
  readonly #orders = new Map<string, Order>();
  readonly #changed: (order: Order) => void;

  constructor(changed: (order: Order) => void) {
    this.#changed = changed;
  }

  /** The shop decides the price, never the customer. */
  place(sku: string, quantity: number, customer: Order["customer"]): Order {
    const id = `order_${String(this.#orders.size + 1).padStart(4, "0")}`;
    const order: Order = { id, sku, quantity, amount: (prices[sku] ?? 0) * quantity, customer, status: "pending" };
    this.#orders.set(id, order);
    return order;
  }

  get(id: string): Order | undefined {
    return this.#orders.get(id);
  }

  byPayment(payment: {
    readonly intentId?: string | undefined;
    readonly sessionToken?: string | undefined;
  }): Order | undefined {
    return [...this.#orders.values()].find(
      ({ intentId, sessionToken }) =>
        (intentId !== undefined && intentId === payment.intentId) ||
        (sessionToken !== undefined && sessionToken === payment.sessionToken),
    );
  }

  /** Events come late, twice and out of order. A final status stays, except that a payment which succeeds after all counts. */
  move(order: Order, status: OrderStatus): void {
    const allowed = UNSETTLED.has(order.status) || status === "paid";
    if (!allowed || order.status === status) return;
    order.status = status;
    if (status !== "requires_action") delete order.redirectUrl;
    this.#changed(order);
  }
}
