import type { IncomingMessage, ServerResponse } from "node:http";
import type { ExamOptions, Opening } from "centavo/exam";
import { verifyWebhook } from "centavo/webhooks";
import { later } from "./patience.ts";
import { callsOf } from "./service-calls.ts";

/** A way to pay an order. Its place is taken before the service is called, so that two requests at once make the same payment. */
interface Payment {
  readonly kind: "intent" | "session";
  readonly key: string;
  /** The id or session token, once it is known. */
  reference?: string;
  page?: string;
  status: string;
}

interface Order {
  readonly id: string;
  readonly amount: number;
  status: "waiting" | "paid" | "failed";
  fulfilments: number;
  readonly payments: Payment[];
}

interface Books {
  readonly orders: Record<string, Order>;
  readonly queue: { readonly text: string; readonly at: number }[];
}

type Data = Readonly<Partial<Record<"id" | "sessionToken" | "checkoutUrl" | "status", string>>>;

const ENDED = new Set(["failed", "canceled", "cancelled", "expired"]);
const SUCCEEDED = new Set(["succeeded", "completed"]);
const DAY = 86_400_000;

/** A shop on Node's own http that puts events into a queue and answers 202. A job works the queue off, and another asks what no event told. */
function openQueueingShop({ sim, fetch, timeout, now, store, url }: Opening<Books>) {
  const call = callsOf({ sim, fetch, timeout });

  /** Notes what is soundly known of a payment. A success wins over everything. */
  const note = (order: Order, payment: Payment, status: string): void => {
    if (SUCCEEDED.has(payment.status)) return;
    payment.status = status;
    if (SUCCEEDED.has(status) && order.status !== "paid") {
      order.status = "paid";
      order.fulfilments += 1;
    } else if (ENDED.has(status) && payment === order.payments.at(-1)) order.status = "failed";
  };

  const ask = async (order: Order, payment: Payment): Promise<void> => {
    const { kind, reference } = payment;
    if (reference === undefined || SUCCEEDED.has(payment.status) || ENDED.has(payment.status)) return;
    const path = kind === "intent" ? `/api/payment-intent/${reference}/status` : `/api/checkout/polling/${reference}`;
    const { data } = await call<Data>("GET", path);
    if (data?.status !== undefined) note(order, payment, data.status);
  };

  /** Returns the payment that is open, or begins another of the kind that the customer wants. */
  const openPayment = async (order: Order, kind: Payment["kind"]): Promise<Payment> => {
    const last = order.payments.at(-1);
    if (last !== undefined) await ask(order, last);
    if (order.payments.every(({ status }) => ENDED.has(status)))
      order.payments.push({ kind, key: `${order.id}-${order.payments.length}`, status: "new" });
    const payment = order.payments.at(-1) as Payment;
    if (payment.reference !== undefined) return payment;
    if (order.status === "failed") order.status = "waiting";
    const { id, amount } = order;
    const fields = { amount, externalId: payment.key, description: "A book", returnUrl: `${url}/thanks?order=${id}` };
    const contact = { name: "A reader", email: "reader@customer.example" };
    const path = payment.kind === "intent" ? "/api/payment-intent" : "/api/checkout";
    const body = { ...fields, contact, webhookUrl: `${url}/events` };
    const { data } = await call<Data>("POST", path, body, payment.key);
    const reference = payment.kind === "intent" ? data?.id : data?.sessionToken;
    if (reference !== undefined) payment.reference = reference;
    if (data?.checkoutUrl !== undefined) payment.page = data.checkoutUrl;
    return payment;
  };

  const pay = async (order: Order, kind: Payment["kind"], paymentMethodId: string): Promise<object> => {
    const payment = await openPayment(order, kind);
    if (payment.reference === undefined || order.status === "paid") return order;
    if (payment.kind === "session") return payment.status === "processing" ? order : { next: payment.page };
    const path = `/api/payment-intent/${payment.reference}/confirm`;
    return { next: (await call("POST", path, { paymentMethodId })).redirectUrl };
  };

  const workOff = (): void => {
    for (const queued of store.queue.slice()) {
      const event = JSON.parse(queued.text) as { id: string; type?: string; amount?: number; status?: string } & {
        sessionToken?: string;
        data?: { id?: string; attributes?: { status?: string; amount?: number } };
      };
      const reference = event.sessionToken ?? event.data?.id;
      const { status, amount } = event.data?.attributes ?? event;
      const all = Object.values(store.orders).flatMap((order) => order.payments.map((payment) => ({ order, payment })));
      const found = all.find(({ payment }) => reference !== undefined && payment.reference === reference);
      // The answer that tells the payment's id may come after its first event.
      if (found === undefined && now().getTime() - queued.at < DAY) continue;
      store.queue.splice(store.queue.indexOf(queued), 1);
      if (found === undefined || amount !== found.order.amount || status === undefined) continue;
      if (!ENDED.has(found.payment.status)) note(found.order, found.payment, status);
    }
  };

  const answer = async ({ url: path = "", method: verb, headers }: IncomingMessage, text: string) => {
    if (path === "/events") {
      const { webhookSecret } = sim.credentials;
      const isGenuine = verifyWebhook({ headers, body: text }, webhookSecret, { now }).then(Boolean, () => false);
      if (!(await isGenuine)) return { status: 401, body: {} };
      store.queue.push({ text, at: now().getTime() });
      return { status: 202, body: {} };
    }
    if (path === "/jobs/queue") workOff();
    if (path === "/jobs/ask")
      for (const order of Object.values(store.orders))
        for (const payment of order.payments) await ask(order, payment).catch(later);
    if (verb !== "POST") return { status: 200, body: { thanks: "The parcel leaves once it is paid." } };
    const { id = "", method = "" } = JSON.parse(text) as { id?: string; method?: string };
    store.orders[id] ??= { id, amount: 75_000, status: "waiting", fulfilments: 0, payments: [] };
    return { status: 200, body: await pay(store.orders[id], path === "/checkout" ? "session" : "intent", method) };
  };

  return async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const { status, body } = await answer(request, Buffer.concat(chunks).toString()).catch((error: unknown) => ({
      status: 503,
      body: { problem: String(error) },
    }));
    response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(body));
  };
}

export const queueingShop: ExamOptions<Books> = {
  open: openQueueingShop,
  store: { orders: {}, queue: [] },
  acts: {
    order: ({ visit, id, method }) => visit("POST", "/orders", { id, method }),
    payAgain: ({ visit, id, method }) => visit("POST", "/orders", { id, method }),
    checkout: ({ visit, id }) => visit("POST", "/checkout", { id }),
    look: ({ visit, id }) => visit(`/orders/${id}`),
  },
  books: ({ store }) => ({ orders: Object.values(store.orders) }),
  jobs: [
    { every: "1 minute", run: ({ visit }) => visit("/jobs/queue") },
    { every: "1 hour", run: ({ visit }) => visit("/jobs/ask") },
  ],
};
