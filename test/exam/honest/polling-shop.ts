import type { ExamOptions, Opening } from "centavo/exam";

interface Order {
  readonly id: string;
  readonly amount: number;
  readonly since: number;
  status: "pending" | "paid" | "failed" | "expired";
  fulfilments: number;
  /** The payments that were tried. Only the last can still succeed, because another is made only once it has failed. */
  readonly intents: string[];
}

type Orders = Map<string, Order>;

interface Answer {
  readonly status: number;
  readonly data?: { readonly id: string; readonly status: string; readonly amount: number };
  readonly redirectUrl?: string;
}

const MOST_TRIES = 4;
const ANSWER_WITHIN = 8000;
const DAY = 86_400_000;
const ENDED = new Set(["failed", "canceled"]);

/** A shop that hears no events: it has no webhook, and asks for the status of what it waits for. */
function openPollingShop({ sim, fetch, timeout, now, store, url }: Opening<Orders>) {
  let token: string | undefined;

  const send = async (address: string, init: RequestInit): Promise<Answer> => {
    const response = await fetch(address, { ...init, signal: timeout(ANSWER_WITHIN) });
    const body = (await response.json()) as Omit<Answer, "status"> & { access_token?: string };
    if (body.access_token !== undefined) token = body.access_token;
    // Confirming answers where the customer goes next, in its data or in its error.
    const redirectUrl = (body.data as { redirectUrl?: string } | undefined)?.redirectUrl ?? body.redirectUrl;
    return { status: response.status, ...(body.data && { data: body.data }), ...(redirectUrl && { redirectUrl }) };
  };

  const login = async (): Promise<void> => {
    const { clientId: client_id, clientSecret: client_secret } = sim.credentials;
    const fields = { grant_type: "client_credentials", client_id, client_secret };
    await send(`${sim.authUrl}/oauth`, { method: "POST", body: new URLSearchParams(fields) });
  };

  /** Calls until an answer comes that another try would not change. */
  const call = async (method: string, path: string, body?: object, key?: string): Promise<Answer | undefined> => {
    for (let tries = 0; tries < MOST_TRIES; tries += 1) {
      try {
        if (token === undefined) await login();
        const headers = { authorization: `Bearer ${token}`, "content-type": "application/json" };
        const init = { method, headers: key === undefined ? headers : { ...headers, "idempotency-key": key } };
        const answer = await send(sim.baseUrl + path, body ? { ...init, body: JSON.stringify(body) } : init);
        if (answer.status === 401) token = undefined;
        else if (answer.status < 500 && answer.status !== 429 && (answer.status !== 409 || key === undefined))
          return answer;
      } catch {
        // Whether it was done is not known. Every call here may be made again.
      }
    }
    return undefined;
  };

  /** Reads the last payment of an order, and returns its status; undefined when there is none or nobody says. */
  const read = async (order: Order): Promise<string | undefined> => {
    const intent = order.intents.at(-1);
    if (intent === undefined) return undefined;
    const answer = await call("GET", `/api/payment-intent/${intent}/status`);
    const { status, amount } = answer?.data ?? {};
    if (order.status === "paid") return "succeeded";
    if (status === "succeeded" && amount === order.amount) {
      order.status = "paid";
      order.fulfilments += 1;
    } else if (status !== undefined && ENDED.has(status) && intent === order.intents.at(-1)) order.status = "failed";
    return status;
  };

  const pay = async (order: Order, method: string): Promise<Response> => {
    const unknown = Response.json({ problem: "We do not know yet. Look again later." }, { status: 503 });
    const asked = order.intents.at(-1);
    const status = await read(order);
    // Another tab has begun another payment in the meantime.
    if (order.intents.at(-1) !== asked) return pay(order, method);
    if (asked !== undefined && status === undefined) return unknown;
    if (status === "succeeded" || status === "processing") return Response.json(order);
    if (status === undefined || ENDED.has(status)) {
      const tries = order.intents.length;
      const fields = { amount: order.amount, externalId: order.id, returnUrl: `${url}/thanks/${order.id}` };
      const created = await call("POST", "/api/payment-intent", fields, `${order.id}-${tries}`);
      if (created?.data === undefined) return unknown;
      if (order.intents.length === tries) order.intents.push(created.data.id);
    }
    if (order.status !== "paid") order.status = "pending";
    const confirmed = await call("POST", `/api/payment-intent/${order.intents.at(-1)}/confirm`, {
      paymentMethodId: method,
    });
    const after = await read(order);
    return Response.json({ ...order, ...(after === "requires_action" && { next: confirmed?.redirectUrl }) });
  };

  const poll = async (): Promise<Response> => {
    for (const order of store.values()) {
      if (order.status === "paid") continue;
      const status = await read(order);
      const isWaiting = status?.startsWith("requires_") === true || order.intents.length === 0;
      if (order.status === "pending" && isWaiting && now().getTime() - order.since > DAY) order.status = "expired";
    }
    return new Response("polled");
  };

  return async (request: Request): Promise<Response> => {
    const { pathname } = new URL(request.url);
    const [, place, named = ""] = pathname.split("/");
    if (place === "poll") return poll();
    const { id = named, method } = (request.method === "POST" ? await request.json() : {}) as Record<string, string>;
    if (place === "orders" && method !== undefined && !store.has(id))
      store.set(id, { id, amount: 49_900, since: now().getTime(), status: "pending", fulfilments: 0, intents: [] });
    const order = store.get(id);
    if (order === undefined) return new Response("There is no such order", { status: 404 });
    if (method !== undefined) return pay(order, method);
    await read(order);
    return Response.json(order);
  };
}

export const pollingShop: ExamOptions<Orders> = {
  open: openPollingShop,
  acts: {
    order: ({ visit, id, method }) => visit("POST", "/orders", { id, method }),
    payAgain: ({ visit, id, method }) => visit("POST", "/orders", { id, method }),
    look: ({ visit, id }) => visit(`/orders/${id}`),
  },
  books: ({ store }) => ({ orders: [...store.values()] }),
  jobs: [{ every: "5 minutes", run: ({ visit }) => visit("/poll") }],
};
