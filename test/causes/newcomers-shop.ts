import type { Server } from "node:http";
import type { Simulator } from "centavo";
import { verifyWebhook } from "centavo/webhooks";
import type { WebhookEvent } from "centavo/webhooks";
import express from "express";
import { SHOP } from "./shop.ts";

export const contact = { name: "Ana Cruz", email: "ana@customer.example" };

interface Settings {
  readonly baseUrl: string;
  readonly clientId: string;
  readonly clientSecret: string;
  readonly webhookSecret: string;
  /** Where the shop has events sent. */
  readonly webhookUrl: string | undefined;
  readonly fetch: typeof fetch;
  readonly authorization: (token: string) => string;
  readonly keyOf: (order: string) => string | undefined;
  /** What the shop sends for the amount of an order. */
  readonly amountOf: (amount: number) => unknown;
  readonly contact: object | undefined;
  /** How long the shop holds that its tokens are good, in milliseconds. */
  readonly keepsTokens: boolean;
  readonly now: () => number;
  readonly parsesEarly: boolean;
  readonly paidStatus: string;
  readonly paidEvent: string;
  readonly handle: (event: WebhookEvent, response: express.Response) => unknown;
}

/** A shop with orders by card and by checkout, and members, whose settings hold the mistake. */
export function openShop(sim: Simulator, mistake: Partial<Settings> = {}) {
  const settings: Settings = {
    baseUrl: sim.baseUrl,
    ...sim.credentials,
    webhookUrl: `${SHOP}/hooks`,
    fetch: (...given) => fetch(...given),
    authorization: (access) => `Bearer ${access}`,
    keyOf: () => undefined,
    amountOf: (amount) => amount,
    contact,
    keepsTokens: false,
    now: () => Date.now(),
    parsesEarly: false,
    paidStatus: "succeeded",
    paidEvent: "payment_intent.succeeded",
    handle: (_event, response) => response.sendStatus(200),
    ...mistake,
  };
  const orders = new Map<string, string>();
  let kept: { readonly token: string; readonly until: number } | undefined;

  async function token(): Promise<string> {
    if (settings.keepsTokens && kept !== undefined && kept.until > settings.now()) return kept.token;
    const answer = await settings.fetch(`${settings.baseUrl}/oauth`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({
        grant_type: "client_credentials",
        client_id: settings.clientId,
        client_secret: settings.clientSecret,
      }),
    });
    const { access_token, expires_in } = (await answer.json()) as Record<string, never>;
    kept = { token: access_token ?? "", until: settings.now() + Number(expires_in) * 1000 };
    return kept.token;
  }

  async function call(method: string, path: string, body?: object, key?: string): Promise<Record<string, string>> {
    const answer = await settings.fetch(settings.baseUrl + path, {
      method,
      headers: {
        authorization: settings.authorization(await token()),
        "content-type": "application/json",
        ...(key === undefined ? {} : { "idempotency-key": key }),
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    if (!answer.ok) throw new Error(`The payment service answered ${answer.status}.`);
    return ((await answer.json()) as { readonly data: Record<string, string> }).data;
  }

  const urls = { webhookUrl: settings.webhookUrl, returnUrl: `${SHOP}/thanks` };

  /** Charges a card for an order. */
  async function charge(id: string, amount = 10_000, paymentMethodId = "pm_card_approved") {
    orders.set(id, "open");
    const body = { amount: settings.amountOf(amount), externalId: id, contact: settings.contact, ...urls };
    const intent = await call("POST", "/api/payment-intent", body, settings.keyOf(id));
    const confirm = `/api/payment-intent/${intent["id"]}/confirm`;
    return call("POST", confirm, { paymentMethodId });
  }

  /** Has a customer pay an order on the hosted page. */
  async function checkOut(id: string, amount = 10_000) {
    orders.set(id, "open");
    const order = { externalId: id, amount: settings.amountOf(amount), description: "A book" };
    return call("POST", "/api/checkout", { ...order, contact: settings.contact, ...urls }, settings.keyOf(id));
  }

  /** Makes somebody a member, who pays each month. */
  async function join(id: string, paymentMethodId: string) {
    const plan = await call("POST", "/api/subscription/plans", { name: "Reader", amount: 19_900, interval: "month" });
    const member = { planId: plan["id"], contact, externalId: id, ...urls };
    const { id: subscriptionId } = await call("POST", "/api/subscription/initiate", member);
    orders.set(id, "incomplete");
    return call("POST", "/api/subscription/process-payment", { subscriptionId, paymentMethodId });
  }

  async function take(event: WebhookEvent): Promise<void> {
    if ("externalId" in event) return void orders.set(event.externalId, event.status);
    const { externalId, status } = event.data.attributes as { readonly externalId?: string; readonly status: string };
    if (externalId === undefined) return;
    if (event.type === settings.paidEvent && status === settings.paidStatus) orders.set(externalId, "paid");
    else if (event.type !== "payment_intent.succeeded") orders.set(externalId, status);
  }

  const app = express();
  if (settings.parsesEarly) app.use(express.json());
  app.post("/hooks", express.raw({ type: "application/json" }), async (request, response) => {
    const body = settings.parsesEarly ? JSON.stringify(request.body, null, 1) : (request.body as Buffer);
    const event = await verifyWebhook({ headers: request.headers, body }, settings.webhookSecret).catch(
      () => undefined,
    );
    if (event === undefined) return void response.sendStatus(401);
    await take(event);
    await settings.handle(event, response);
  });
  app.post("/orders/:id/:method", async (request, response) => {
    await charge(request.params.id, 10_000, request.params.method);
    response.sendStatus(202);
  });
  app.get("/thanks", (_request, response) => void response.send("Thank you"));

  return { app, orders, call, charge, checkOut, join };
}

/** A shop that is connected where its events go. */
export function connectShop(sim: Simulator, mistake: Partial<Settings> = {}) {
  const shop = openShop(sim, mistake);
  sim.connect(SHOP, shop.app);
  return shop;
}

/** The address of a server that has listened, once it is closed. */
export async function closedPort(server: Server): Promise<string> {
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  await new Promise((resolve) => server.close(resolve));
  return `http://127.0.0.1:${typeof address === "object" ? address?.port : ""}`;
}
