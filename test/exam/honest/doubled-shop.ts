import type { ExamOptions, Opening } from "centavo/exam";
import { verifyWebhook } from "centavo/webhooks";
import { callsOf } from "./service-calls.ts";

interface Order {
  readonly id: string;
  readonly amount: number;
  readonly method: string;
  status: "pending" | "paid" | "failed";
  fulfilments: number;
  intent?: string;
  /** Whether a program confirms the payment, or did so when it ended. */
  isConfirming: boolean;
}

interface Books {
  readonly orders: Record<string, Order>;
  /** The numbers that programs and runs of the job have taken. */
  taken: number;
  /** Which program, and which run of its job, may work off the orders, and until when. */
  lease?: { readonly program: number; readonly run: number; readonly until: number };
}

interface Intent {
  readonly id: string;
  readonly status: string;
  readonly amount: number;
}

const MINUTE = 60_000;
/** Longer than any run of the job, and than the clocks of two programs differ. */
const LEASE = 15 * MINUTE;
const ENDED = new Set(["failed", "canceled"]);

/** A shop of which several programs may run. Parcels are packed by a job alone, which takes a lease. */
function openDoubledShop({ sim, fetch, timeout, now, store, url }: Opening<Books>) {
  const call = callsOf({ sim, fetch, timeout });
  const program = (store.taken += 1);

  const note = (order: Order, { status, amount }: Partial<Intent>): void => {
    if (order.status === "paid") return;
    if (status === "succeeded" && amount === order.amount) order.status = "paid";
    else if (ENDED.has(status ?? "")) order.status = "failed";
    else if (order.status === "failed") order.status = "pending";
  };

  const ask = async (order: Order): Promise<void> => {
    const { data } = await call<Intent>("GET", `/api/payment-intent/${order.intent}/status`);
    if (data !== undefined) note(order, data);
  };

  /** Makes the payment, and confirms it. The keys make both safe to repeat, whoever does so. */
  const confirm = async (order: Order): Promise<string | undefined> => {
    order.isConfirming = true;
    const { id, amount, method } = order;
    const contact = { name: "A reader", email: "reader@customer.example" };
    const terms = { amount, externalId: id, description: "A lamp", returnUrl: `${url}/return/${id}`, contact };
    const made = await call<Intent>(
      "POST",
      "/api/payment-intent",
      { ...terms, webhookUrl: `${url}/events` },
      `make-${id}`,
    );
    if (made.data === undefined) return undefined;
    order.intent = made.data.id;
    const path = `/api/payment-intent/${order.intent}/confirm`;
    const confirmed = await call<Intent>("POST", path, { paymentMethodId: method }, `confirm-${id}`);
    order.isConfirming = false;
    return confirmed.redirectUrl;
  };

  const pack = async (order: Order): Promise<void> => {
    if (order.intent !== undefined && order.status === "pending") await ask(order);
    if (order.status !== "paid" || order.fulfilments > 0) return;
    // What was given back by hand is not sent.
    const { data } = await call<Intent>("GET", `/api/payment-intent/${order.intent}/status`);
    if (data?.status === "succeeded") order.fulfilments += 1;
  };

  const workOff = async (): Promise<void> => {
    const { lease } = store;
    if (lease !== undefined && lease.until > now().getTime()) return;
    const run = (store.taken += 1);
    store.lease = { program, run, until: now().getTime() + LEASE };
    for (const order of Object.values(store.orders)) await pack(order).catch(() => undefined);
    if (store.lease?.run === run) delete store.lease;
  };

  const hear = async (request: Request): Promise<Response> => {
    const event = await verifyWebhook(request, sim.credentials.webhookSecret, { now: now() }).catch(() => undefined);
    if (event === undefined) return new Response(null, { status: 401 });
    const { id, attributes } = ("data" in event ? event.data : {}) as { id?: string; attributes?: Partial<Intent> };
    const order = Object.values(store.orders).find(({ intent }) => intent !== undefined && intent === id);
    if (order !== undefined && attributes !== undefined) note(order, attributes);
    return new Response();
  };

  // A program that ended may have left a payment half done.
  for (const order of Object.values(store.orders)) if (order.isConfirming) confirm(order).catch(() => undefined);

  return async (request: Request): Promise<Response> => {
    const [, place, named = ""] = new URL(request.url).pathname.split("/");
    if (place === "events") return hear(request);
    if (place === "work") await workOff();
    if (place === "orders") {
      const { id, method } = (await request.json()) as { id: string; method: string };
      store.orders[id] ??= { id, amount: 64_900, method, status: "pending", fulfilments: 0, isConfirming: false };
      const next = await confirm(store.orders[id]).catch(() => undefined);
      return Response.json({ order: store.orders[id], next }, { status: 202 });
    }
    if (place === "return") {
      const order = store.orders[named];
      if (order?.intent !== undefined) await ask(order).catch(() => undefined);
      return Response.json(order ?? {});
    }
    return new Response();
  };
}

export const doubledShop: ExamOptions<Books> = {
  open: openDoubledShop,
  store: { orders: {}, taken: 0 },
  acts: { order: ({ visit, id, method }) => visit("POST", "/orders", { id, method }) },
  books: ({ store }) => ({ orders: Object.values(store.orders) }),
  jobs: [{ every: "5 minutes", run: ({ visit }) => visit("POST", "/work") }],
};
