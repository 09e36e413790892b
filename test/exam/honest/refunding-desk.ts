import type { Opening } from "centavo/exam";
import { PaymentService } from "./payment-service.ts";

/** A payment that was tried for an order. A customer may try another before the last has ended, so two of them can succeed. */
interface Payment {
  readonly key: string;
  readonly method: string;
  intent?: string;
  /** `kept` pays for the order; `given back` was paid and not needed. */
  state: "open" | "over" | "kept" | "given back";
}

interface Order {
  readonly id: string;
  readonly amount: number;
  readonly reservedAt: number;
  status: "reserved" | "shipped" | "let go";
  shipments: number;
  refunded: number;
  readonly payments: Payment[];
}

/** The shop's books. */
export interface Books {
  readonly orders: Map<string, Order>;
  readonly shelf: { umbrellas: number };
}

const TWO_HOURS = 7_200_000;

/** What the shop does with orders. The umbrellas of an order are taken from the shelf at once, and put back unless it is paid in two hours. */
export class Desk {
  readonly #opening: Opening<Books>;
  readonly #service: PaymentService;

  constructor(opening: Opening<Books>) {
    this.#opening = opening;
    this.#service = new PaymentService(opening);
  }

  place(id: string): Order | undefined {
    const { store, now } = this.#opening;
    const known = store.orders.get(id);
    if (known !== undefined || store.shelf.umbrellas === 0) return known;
    store.shelf.umbrellas -= 1;
    const reservedAt = now().getTime();
    store.orders.set(id, {
      id,
      amount: 89_000,
      reservedAt,
      status: "reserved",
      shipments: 0,
      refunded: 0,
      payments: [],
    });
    return store.orders.get(id);
  }

  async pay(order: Order, method: string): Promise<string | undefined> {
    await this.settle(order);
    if (order.status !== "reserved") return undefined;
    const { url } = this.#opening;
    let payment = order.payments.find((each) => each.state === "open" && each.method === method);
    if (payment === undefined) {
      order.payments.push({ key: `${order.id}.${order.payments.length}`, method, state: "open" });
      payment = order.payments.at(-1) as Payment;
    }
    const { amount } = order;
    const fields = {
      amount,
      externalId: payment.key,
      returnUrl: `${url}/back/${order.id}`,
      webhookUrl: `${url}/hooks`,
    };
    const created =
      payment.intent ?? (await this.#service.call("POST", "/api/payment-intent", fields, payment.key)).data?.id;
    if (created === undefined) return undefined;
    payment.intent = created;
    const path = `/api/payment-intent/${payment.intent}/confirm`;
    const { data, redirectUrl } = await this.#service.call("POST", path, { paymentMethodId: method });
    await this.settle(order);
    return payment.state === "open" ? (data?.redirectUrl ?? redirectUrl) : undefined;
  }

  /** Asks for the status of every payment that is open. */
  async settle(order: Order): Promise<void> {
    for (const payment of order.payments) {
      if (payment.intent === undefined || payment.state !== "open") continue;
      const { data } = await this.#service.call("GET", `/api/payment-intent/${payment.intent}/status`);
      this.#hear(order, payment, data?.status);
    }
  }

  hear(intent: string, status: unknown): boolean {
    for (const order of this.#opening.store.orders.values())
      for (const payment of order.payments)
        if (payment.intent === intent) {
          this.#hear(order, payment, status);
          return true;
        }
    return false;
  }

  #hear(order: Order, payment: Payment, status: unknown): void {
    if (payment.state !== "open") return;
    if (status === "failed" || status === "canceled") payment.state = "over";
    if (status !== "succeeded") return;
    // What was let go, or is paid already, is not sold again: the money goes back.
    payment.state = order.status === "reserved" ? "kept" : "given back";
    if (payment.state === "kept") Object.assign(order, { status: "shipped", shipments: order.shipments + 1 });
    else order.refunded += order.amount;
  }

  async tidy(): Promise<void> {
    const { store, now } = this.#opening;
    for (const order of store.orders.values()) {
      await this.settle(order);
      if (order.status !== "reserved" || now().getTime() - order.reservedAt < TWO_HOURS) continue;
      order.status = "let go";
      store.shelf.umbrellas += 1;
    }
  }
}
