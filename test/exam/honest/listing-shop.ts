import { createClient } from "centavo/client";
import type { ExamOptions, Opening } from "centavo/exam";
import { verifyWebhook } from "centavo/webhooks";
import { Hono } from "hono";
import { leading, patiently } from "./patience.ts";

/** A way to pay an order. Its key is the `externalId` at the service, so a list finds it even if its creation was never answered. */
interface Payment {
  readonly kind: "intent" | "session";
  readonly key: string;
  reference?: string;
  page?: string;
  state: "open" | "paid" | "over";
}

interface Order {
  readonly id: string;
  readonly amount: number;
  readonly payments: Payment[];
  parcels: number;
  refunded: number;
}

type Orders = Map<string, Order>;

const SUCCEEDED = new Set(["succeeded", "completed"]);
const ENDED = new Set(["failed", "canceled", "cancelled", "expired"]);
const PAGE = 10;
/** How far back the nightly list goes, in milliseconds. An event that is not taken comes again for less than that. */
const LONG_AGO = 4 * 86_400_000;

const statusOf = ({ payments, parcels }: Order): string =>
  parcels > 0 ? "paid" : payments.at(-1)?.state === "over" ? "failed" : "pending";

/** A shop that believes events, and every night turns the pages of the service's list of transactions for what no event told. */
function openListingShop({ sim, fetch, timeout, now, store, url }: Opening<Orders>): Hono {
  const send = (address: string, init: RequestInit) => fetch(address, { ...init, signal: timeout("8 seconds") });
  const connection = { ...sim.credentials, baseUrl: sim.baseUrl, authUrl: sim.authUrl, fetch: send };
  const { paymentIntents, checkout, transactions } = createClient(connection);

  const hear = (isMeant: (payment: Payment) => boolean, status: string): boolean => {
    for (const order of store.values()) {
      const payment = order.payments.find(isMeant);
      if (payment === undefined) continue;
      if (ENDED.has(status) && payment.state === "open") payment.state = "over";
      if (!SUCCEEDED.has(status) || payment.state === "paid") return true;
      payment.state = "paid";
      // Two payments may succeed where a customer pays in two tabs.
      if (order.parcels === 0) order.parcels = 1;
      else order.refunded += order.amount;
      return true;
    }
    return false;
  };

  const compare = async (): Promise<void> => {
    const dateFrom = new Date(now().getTime() - LONG_AGO).toISOString();
    for (let offset = 0; ; offset += PAGE) {
      const { items, hasMore } = await patiently(() => transactions.list({ dateFrom, limit: PAGE, offset }));
      for (const { externalId, status, amount } of items)
        hear(({ key }) => key === externalId && amount === amountOf(key), status);
      if (!hasMore) return;
    }
  };
  const amountOf = (key: string): number | undefined => store.get(key.slice(0, key.lastIndexOf("/")))?.amount;

  /** Returns the payment that is open, or begins another. What became of the last one is asked first. */
  const openPayment = async (order: Order, kind: Payment["kind"]): Promise<Payment | undefined> => {
    const last = order.payments.at(-1);
    const { reference } = last ?? {};
    if (last !== undefined && last.state === "open" && reference !== undefined) {
      const asked =
        last.kind === "intent"
          ? patiently(() => paymentIntents.status(reference))
          : patiently(() => checkout.poll(reference));
      hear((payment) => payment === last, (await asked).status);
    }
    if (order.parcels > 0) return undefined;
    if (order.payments.at(-1)?.state !== "open")
      order.payments.push({ kind, key: `${order.id}/${order.payments.length}`, state: "open" });
    const payment = order.payments.at(-1) as Payment;
    const { key } = payment;
    const addresses = { returnUrl: `${url}/orders/${order.id}`, webhookUrl: `${url}/events` };
    const fields = { amount: order.amount, externalId: key, description: "A kite", ...addresses };
    if (payment.reference !== undefined) return payment;
    if (payment.kind === "intent")
      payment.reference = (await patiently(() => paymentIntents.create(fields, { idempotencyKey: key }))).id;
    else {
      const contact = { name: "A child", email: "child@customer.example" };
      const begun = await patiently(() => checkout.create({ ...fields, contact }, { idempotencyKey: key }));
      Object.assign(payment, { reference: begun.sessionToken, page: begun.checkoutUrl });
    }
    return payment;
  };

  const app = new Hono();
  app.onError((error, context) => context.text(error.message, 503));
  app.post("/events", async (context) => {
    const request = context.req.raw;
    const event = await verifyWebhook(request, sim.credentials.webhookSecret, { now }).catch(() => undefined);
    if (event === undefined) return context.text("This is not from the service.", 401);
    const { id, externalId, status, amount } =
      "data" in event && event.data.type === "payment_intent"
        ? { ...event.data.attributes, id: event.data.id }
        : "sessionToken" in event
          ? { ...event, id: event.sessionToken }
          : {};
    // A payment is this one if its key and price are, and its id unless that is not known yet.
    const isMeant = ({ key, reference = id }: Payment): boolean =>
      key === externalId && reference === id && amount === amountOf(key);
    if (status !== undefined) hear(isMeant, status);
    return context.body(null, 204);
  });
  app.post("/compare", async (context) => {
    await compare();
    return context.body(null, 204);
  });
  app.post("/orders/:id/:kind", async (context) => {
    const { id, kind } = context.req.param();
    if (!store.has(id)) store.set(id, { id, amount: 38_000, payments: [], parcels: 0, refunded: 0 });
    const order = store.get(id) as Order;
    const payment = await openPayment(order, kind === "intent" ? "intent" : "session");
    const { reference } = payment ?? {};
    if (payment === undefined || reference === undefined) return context.json({ status: statusOf(order) });
    if (payment.kind === "session") return context.json({ next: payment.page });
    const method = await context.req.text();
    const next = await leading(() => paymentIntents.confirm(reference, { paymentMethodId: method }));
    return context.json({ status: statusOf(order), next });
  });
  app.get("/orders/:id", (context) => {
    const order = store.get(context.req.param("id"));
    return order === undefined ? context.notFound() : context.json({ status: statusOf(order) });
  });
  return app;
}

export const listingShop: ExamOptions<Orders> = {
  open: openListingShop,
  acts: {
    order: ({ visit, id, method }) => visit(`/orders/${id}/intent`, { method: "POST", body: method }),
    payAgain: ({ visit, id, method }) => visit(`/orders/${id}/intent`, { method: "POST", body: method }),
    checkout: ({ visit, id }) => visit(`/orders/${id}/session`, { method: "POST" }),
    look: ({ visit, id }) => visit(`/orders/${id}`),
  },
  books: ({ store }) => ({
    orders: [...store.values()].map((order) => ({
      id: order.id,
      status: statusOf(order),
      amount: order.amount,
      fulfilments: order.parcels,
      refunded: order.refunded,
    })),
  }),
  jobs: [{ every: "1 day", run: ({ visit }) => visit("POST", "/compare") }],
};
