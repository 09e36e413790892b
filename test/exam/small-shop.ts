import { createHmac } from "node:crypto";
import type { ExamOptions, Opening } from "centavo/exam";

export interface Order {
  readonly id: string;
  readonly amount: number;
  status: "pending" | "paid" | "failed";
  fulfilments: number;
  readonly pieces?: number;
  intent?: string;
}

export type Orders = Map<string, Order>;

/** Mistakes that this shop can make. */
export type Mistake =
  | "no idempotency keys"
  | "fulfils each time"
  | "checks no signature"
  | "checks no stamp"
  | "trusts the way back"
  | "takes silence for a decline"
  | "never asks";

/** How old a delivery may be, in seconds. */
const TOLERANCE = 300;
/** In milliseconds. */
const ANSWER_WITHIN = 20_000;

/** `startMerchant` gives no timeout. */
const realTimeout: Opening["timeout"] = (duration) => AbortSignal.timeout(Number(duration));

/** A shop of one product, with a fetch handler. Without a mistake it is right. */
export function openSmallShop(
  { sim, fetch, timeout = realTimeout, store, url, now }: Omit<Opening<Orders>, "timeout"> & Partial<Opening<Orders>>,
  mistake?: Mistake,
) {
  let token: Promise<string> | undefined;

  const login = async (): Promise<string> => {
    const { clientId, clientSecret } = sim.credentials;
    const body = new URLSearchParams({
      grant_type: "client_credentials",
      client_id: clientId,
      client_secret: clientSecret,
    });
    const answer = await fetch(`${sim.authUrl}/oauth`, { method: "POST", body, signal: timeout(ANSWER_WITHIN) });
    return ((await answer.json()) as { access_token: string }).access_token;
  };

  const call = async (method: string, path: string, body?: object, key?: string): Promise<Answer> => {
    for (let tries = 1; ; tries += 1) {
      try {
        token ??= login();
        const headers = new Headers({ authorization: `Bearer ${await token}`, "content-type": "application/json" });
        if (key !== undefined && mistake !== "no idempotency keys") headers.set("idempotency-key", key);
        const answer = await fetch(sim.baseUrl + path, {
          method,
          headers,
          signal: timeout(ANSWER_WITHIN),
          ...(body && { body: JSON.stringify(body) }),
        });
        if (answer.status === 401) token = undefined;
        if (tries === 4 || (answer.status < 500 && answer.status !== 401 && answer.status !== 429))
          return (await answer.json()) as Answer;
      } catch (error) {
        token = undefined;
        if (tries === 4) throw error;
      }
    }
  };

  const pay = (order: Order): void => {
    if (order.status === "paid" && mistake !== "fulfils each time") return;
    order.status = "paid";
    order.fulfilments += 1;
  };

  const refresh = async (order: Order): Promise<void> => {
    if (order.intent === undefined || order.status === "paid") return;
    const { data } = await call("GET", `/api/payment-intent/${order.intent}/status`);
    if (data?.status === "succeeded") pay(order);
  };

  const place = async (id: string, method: string): Promise<Response> => {
    if (!store.has(id)) store.set(id, { id, status: "pending", fulfilments: 0, amount: 49_900 });
    const order = store.get(id) as Order;
    const returnUrl = `${url}/return?order=${id}`;
    const fields = { amount: order.amount, externalId: id, returnUrl, webhookUrl: `${url}/hooks` };
    order.intent ??= (await call("POST", "/api/payment-intent", fields, `create-${id}`)).data?.id ?? "";
    if (order.intent === "") {
      delete order.intent;
      return Response.json(order, { status: 502 });
    }
    const path = `/api/payment-intent/${order.intent}/confirm`;
    const confirming = call("POST", path, { paymentMethodId: method }, `confirm-${id}-${method}`);
    const confirmed = await confirming.catch((error: unknown) => {
      if (mistake !== "takes silence for a decline") throw error;
    });
    if (confirmed === undefined) {
      order.status = "failed";
      delete order.intent;
      return Response.json(order, { status: 402 });
    }
    return Response.json({ ...order, next: confirmed.data?.redirectUrl ?? confirmed.redirectUrl });
  };

  const receive = async (request: Request): Promise<Response> => {
    const text = await request.text();
    const header = request.headers.get("x-webhook-signature") ?? "";
    const fields = new Map(header.split(",").map((field) => field.split("=", 2) as [string, string]));
    const expected = createHmac("sha256", sim.credentials.webhookSecret)
      .update(`${fields.get("t")}.${text}`)
      .digest("hex");
    const isRecent =
      mistake === "checks no stamp" || Math.abs(now().getTime() / 1000 - Number(fields.get("t"))) <= TOLERANCE;
    if ((fields.get("te") !== expected || !isRecent) && mistake !== "checks no signature")
      return new Response(null, { status: 401 });
    const { type, data } = JSON.parse(text) as { type: string; data?: { id: string } };
    const order = [...store.values()].find(({ intent }) => intent !== undefined && intent === data?.id);
    if (order !== undefined && type === "payment_intent.succeeded") pay(order);
    return new Response();
  };

  return async (request: Request): Promise<Response> => {
    const { pathname, searchParams } = new URL(request.url);
    if (pathname === "/orders") {
      const { id, method } = (await request.json()) as { id: string; method: string };
      return place(id, method);
    }
    if (pathname === "/hooks") return receive(request);
    if (pathname === "/return") {
      const order = store.get(searchParams.get("order") ?? "");
      if (order === undefined) return new Response(null, { status: 404 });
      if (mistake === "trusts the way back" && searchParams.get("status") === "succeeded") pay(order);
      else await refresh(order);
      return new Response(order.status);
    }
    if (pathname === "/jobs/refresh") {
      if (mistake !== "never asks") for (const order of store.values()) await refresh(order);
      return new Response();
    }
    return new Response(null, { status: 404 });
  };
}

/** The exam of this shop. */
export function examOfSmallShop(mistake?: Mistake): ExamOptions<Orders> {
  return {
    open: (opening) => openSmallShop(opening, mistake),
    acts: { order: ({ visit, id, method }) => visit("POST", "/orders", { id, method }) },
    books: ({ store }) => ({ orders: [...store.values()] }),
    jobs: [{ every: "10 minutes", run: ({ visit }) => visit("/jobs/refresh") }],
  };
}

interface Answer {
  readonly data?: { readonly id?: string; readonly status?: string; readonly redirectUrl?: string };
  readonly redirectUrl?: string;
}
