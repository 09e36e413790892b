import { emptyStore } from "./store.ts";
import type { ShopStore } from "./store.ts";

/** The status of an order or of one payment of it. Only `paid` is final: a customer may try again, and a late payment counts. */
export type OrderStatus = "pending" | "requires_action" | "paid" | "failed" | "cancelled" | "expired";

/** A try to pay an order. */
export interface Payment {
  readonly kind: "intent" | "checkout";
  /** The payment service's id of the intent, or the token of the session. */
  readonly id: string;
  /** What it pays, in centavos: the price of the order when it began. */
  readonly amount: number;
  readonly status: OrderStatus;
}

export interface Order {
  readonly id: string;
  readonly sku: string;
  readonly quantity: number;
  /** Centavos. */
  readonly amount: number;
  readonly customer: { readonly name: string; readonly email: string };
  readonly placedAt: number;
  readonly status: OrderStatus;
  /** The page where the customer must finish the payment. */
  readonly redirectUrl?: string | undefined;
  /** The tries to pay it, the latest last. */
  readonly payments: readonly Payment[];
  /** How many parcels were sent. */
  readonly parcels: number;
  /** What was given back, in centavos, because it came twice or was not the price. */
  readonly refunded: number;
}

/** Centavos. */
export const prices: Readonly<Record<string, number>> = { book: 49_900, notebook: 12_500, pen: 3500 };

/** How many of each item the shop has when it opens. */
const SHELVES: Readonly<Record<string, number>> = { book: 500, notebook: 500, pen: 500 };

const UNSETTLED: ReadonlySet<OrderStatus> = new Set(["pending", "requires_action"]);

/** The statuses in which an order holds what it contains. */
const HOLDING: ReadonlySet<OrderStatus> = new Set([...UNSETTLED, "paid"]);

/** How long an order waits for its payment, in milliseconds. */
const PATIENCE = 24 * 3_600_000;

/** The shop's orders. */
export class Orders {
  readonly #orders: ShopStore["orders"];
  readonly #changed: (order: Order) => void;

  constructor(changed: (order: Order) => void, { orders }: Pick<ShopStore, "orders"> = emptyStore()) {
    this.#changed = changed;
    this.#orders = orders;
  }

  /**
   * Places an order. The shop decides the price, never the customer.
   * @param id the id of the customer's cart, which is ordered once, however often the customer clicks
   */
  place(sku: string, quantity: number, customer: Order["customer"], id = this.#nextId()): Order {
    const placed = this.#orders.get(id);
    if (placed !== undefined) return placed;
    const terms = { id, sku, quantity, amount: (prices[sku] ?? 0) * quantity, customer };
    return this.#save({ ...terms, placedAt: Date.now(), status: "pending", payments: [], parcels: 0, refunded: 0 });
  }

  get(id: string): Order | undefined {
    return this.#orders.get(id);
  }

  all(): readonly Order[] {
    return [...this.#orders.values()];
  }

  byPayment(paymentId: string): Order | undefined {
    return this.all().find(({ payments }) => payments.some(({ id }) => id === paymentId));
  }

  /** Returns how many of each item are left. */
  stock(): Readonly<Record<string, number>> {
    const left: Record<string, number> = { ...SHELVES };
    for (const { sku, quantity, status } of this.all())
      if (HOLDING.has(status)) left[sku] = (left[sku] ?? 0) - quantity;
    return left;
  }

  /** Whether the shop has so many of an item, those included that the order itself holds. */
  has(sku: string, quantity: number, id = ""): boolean {
    const own = this.get(id);
    const held = own?.sku === sku && HOLDING.has(own.status) ? own.quantity : 0;
    return (this.stock()[sku] ?? 0) + held >= quantity;
  }

  /** Changes what an order contains. A payment of the old price no longer pays it. */
  change({ id }: Pick<Order, "id">, quantity: number): Order {
    const order = this.#row(id);
    const amount = (prices[order.sku] ?? 0) * quantity;
    return this.#save({ ...order, quantity, amount, status: "pending" });
  }

  /** Notes a new try to pay an order. */
  begin({ id }: Pick<Order, "id">, payment: Pick<Payment, "kind" | "id" | "amount">): Order {
    const order = this.#row(id);
    if (order.payments.some((begun) => begun.id === payment.id)) return order;
    const payments = [...order.payments, { ...payment, status: "pending" as const }];
    return this.#save({ ...order, payments, status: order.status === "paid" ? "paid" : "pending" });
  }

  /** Leads the customer to the page of the latest payment. */
  lead({ id }: Pick<Order, "id">, redirectUrl: string | undefined): Order {
    const order = this.#row(id);
    const latest = order.payments.at(-1);
    if (latest === undefined || !isOpen(latest) || !UNSETTLED.has(order.status)) return order;
    const status: OrderStatus = "requires_action";
    const payments = order.payments.map((each) => (each === latest ? { ...each, status } : each));
    return this.#save({ ...order, payments, status, redirectUrl });
  }

  /**
   * Moves a payment of an order, and so the order. Events come late, twice and out of order. What succeeds for an order that is paid, or does
   * not pay its price, is given back.
   */
  move({ id }: Pick<Order, "id">, status: OrderStatus, paymentId?: string): void {
    const order = this.#row(id);
    const latest = order.payments.at(-1);
    const payment = paymentId === undefined ? latest : order.payments.find((each) => each.id === paymentId);
    if (payment === undefined || !mayMove(payment.status, status)) return;
    const payments = order.payments.map((each) => (each.id === payment.id ? { ...each, status } : each));
    if (status !== "paid") {
      const isAbout = payment === latest && UNSETTLED.has(order.status);
      this.#save({ ...order, payments, status: isAbout ? status : order.status });
    } else if (order.status === "paid" || payment.amount !== order.amount)
      this.#save({ ...order, payments, refunded: order.refunded + payment.amount });
    else this.#save({ ...order, payments, status, parcels: order.parcels + 1 });
  }

  /** Gives up an order that nobody has paid for a day. */
  giveUpIfOld({ id }: Pick<Order, "id">): void {
    const order = this.#row(id);
    if (UNSETTLED.has(order.status) && Date.now() - order.placedAt > PATIENCE)
      this.#save({ ...order, status: "expired" });
  }

  #row(id: string): Order {
    const order = this.#orders.get(id);
    if (order === undefined) throw new Error(`There is no order ${id}`);
    return order;
  }

  #save(order: Order): Order {
    const before = this.#orders.get(order.id);
    const { redirectUrl: _, ...settled } = order;
    const row = order.status === "requires_action" ? order : settled;
    this.#orders.set(order.id, row);
    if (before !== undefined && before.status !== row.status) this.#changed(row);
    return row;
  }

  #nextId(): string {
    return `order_${String(this.#orders.size + 1).padStart(4, "0")}`;
  }
}

/** A payment that has ended stays as it is, except that one which succeeds after all counts. */
function mayMove(from: OrderStatus, to: OrderStatus): boolean {
  return from !== to && (UNSETTLED.has(from) || to === "paid");
}

/** Whether a payment may still succeed or fail. */
export function isOpen({ status }: Payment): boolean {
  return UNSETTLED.has(status);
}
