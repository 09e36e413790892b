import { createSimulator, type EventView, type Simulator, type SimulatorOptions } from "centavo";
import { expect } from "vitest";

export const SHOP = "https://shop.example";
export const HOUR = 3_600_000;
export const DAY = 24 * HOUR;

export interface Answer<Data = Subscription> {
  readonly status: number;
  readonly body: {
    readonly success: boolean;
    readonly data: Data;
    readonly message?: string;
    readonly code?: string;
    readonly errors?: readonly { readonly path: string; readonly message: string; readonly code: string }[];
    readonly redirectUrl?: string;
  };
}

export type Subscription = NonNullable<ReturnType<Simulator["subscriptions"]["get"]>>;
export type Invoice = Subscription["latestInvoice"];
export type Plan = Subscription["plan"];
export type Started = Subscription & { readonly sessionToken: string };
export interface Paid {
  readonly id: string;
  readonly intentId: string;
  readonly status: string;
  readonly requiresAction: boolean;
  readonly redirectUrl?: string;
  readonly subscription: Subscription;
}
/** The answer to a change of the payment method, with the invoice that it charges. */
export type Changed = Subscription & { readonly invoice?: Invoice };

/** A merchant that sells subscriptions: its code calls the service through `sim.fetch`, its app keeps the webhooks that arrive. */
export class Merchant {
  readonly sim: Simulator;
  /** The bodies of the webhooks that arrived, in order. */
  readonly webhooks: EventView["body"][] = [];
  #token = "";

  constructor(sim: Simulator) {
    this.sim = sim;
  }

  async logIn({ clientId, clientSecret }: { clientId: string; clientSecret: string }): Promise<this> {
    const body = new URLSearchParams({ client_id: clientId, client_secret: clientSecret });
    const response = await this.sim.fetch(`${this.sim.authUrl}/oauth`, { method: "POST", body });
    this.#token = ((await response.json()) as { access_token: string }).access_token;
    return this;
  }

  async call<Data = Subscription>(
    method: "GET" | "POST" | "PATCH" | "DELETE",
    path: string,
    body?: object,
    bearer?: string,
  ): Promise<Answer<Data>> {
    // Virtual time outlives a token many times over, and no test here is about tokens.
    if (bearer === undefined) await this.logIn(this.#credentials);
    const response = await this.sim.fetch(path, {
      method,
      headers: { authorization: `Bearer ${bearer ?? this.#token}`, "content-type": "application/json" },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    return { status: response.status, body: (await response.json()) as Answer<Data>["body"] };
  }

  get #credentials(): { clientId: string; clientSecret: string } {
    return this.other ?? this.sim.credentials;
  }

  /** Another merchant's credentials, where this is not the first one. */
  other?: { clientId: string; clientSecret: string };

  async createPlan(body: object = {}): Promise<Plan> {
    return ok(await this.call<Plan>("POST", "/api/subscription/plans", planBody(body)));
  }

  async initiate(planId: string, body: object = {}): Promise<Started> {
    return ok(await this.call<Started>("POST", "/api/subscription/initiate", startOf(planId, body)));
  }

  async processPayment(id: string, paymentMethodId = "pm_card_approved"): Promise<Answer<Paid>> {
    return this.call<Paid>("POST", "/api/subscription/process-payment", { subscriptionId: id, paymentMethodId });
  }

  async changeMethod(id: string, paymentMethodId: string): Promise<Answer<Changed>> {
    return this.call<Changed>("PATCH", `/api/subscription/${id}/payment-method`, { paymentMethodId });
  }

  async changePlan(id: string, planId: string): Promise<Answer> {
    return this.call("PATCH", `/api/subscription/${id}/plan`, { planId });
  }

  async cancel(id: string, reason?: string): Promise<Answer> {
    return this.call("DELETE", `/api/subscription/${id}${reason === undefined ? "" : `?reason=${reason}`}`);
  }

  async get(id: string): Promise<Subscription> {
    return ok(await this.call("GET", `/api/subscription/${id}`));
  }

  /** Confirms an invoice's intent with its client key alone, as the customer's browser does. */
  async confirm({ id, clientKey }: Invoice["paymentIntent"], paymentMethodId: string): Promise<Answer<Paid>> {
    return this.call("POST", `/api/payment-intent/${id}/confirm`, { paymentMethodId }, clientKey);
  }

  /** A subscription to a new plan that is not paid yet. */
  async start(plan: object = {}): Promise<Started> {
    return this.initiate((await this.createPlan(plan)).id);
  }

  /** A subscription to a new plan whose first payment has succeeded. */
  async subscribe(paymentMethodId = "pm_card_approved", plan: object = {}): Promise<Subscription> {
    const { id } = await this.start(plan);
    const { redirectUrl } = ok(await this.processPayment(id, paymentMethodId));
    if (redirectUrl !== undefined) await this.sim.customer.authenticate(redirectUrl);
    await this.sim.clock.advanceUntil(() => this.sim.subscriptions.get(id)?.status === "active");
    return this.sim.subscriptions.get(id) as Subscription;
  }

  /** A monthly subscription whose first renewal has just failed. */
  async pastDue(paymentMethodId = "pm_card_declines_renewals", plan: object = {}): Promise<Subscription> {
    const { id } = await this.subscribe(paymentMethodId, plan);
    await this.sim.clock.advanceUntil(() => this.sim.subscriptions.get(id)?.status === "past_due");
    return this.sim.subscriptions.get(id) as Subscription;
  }

  /** A subscription all of whose retries have just failed. */
  async unpaid(paymentMethodId = "pm_card_declines_renewals", plan: object = {}): Promise<Subscription> {
    const { id } = await this.pastDue(paymentMethodId, plan);
    await this.sim.clock.advanceUntil(() => this.sim.subscriptions.get(id)?.status === "unpaid");
    return this.sim.subscriptions.get(id) as Subscription;
  }

  status(id: string): string | undefined {
    return this.sim.subscriptions.get(id)?.status;
  }

  /** The invoices of a subscription, oldest first. */
  invoices(id: string): Invoice[] {
    return this.sim.invoices.list().filter(({ subscriptionId }) => subscriptionId === id);
  }

  /** An invoice of a subscription, the newest by default. */
  invoice(id: string, index = -1): Invoice {
    return this.invoices(id).at(index) as Invoice;
  }

  /** The types of the webhooks that arrived so far, in order. */
  get eventTypes(): unknown[] {
    return this.webhooks.map(({ type }) => type);
  }

  /** The types of the subscription webhooks that arrived so far, in order. */
  get subscriptionEvents(): unknown[] {
    return this.eventTypes.filter((type) => String(type).startsWith("subscription."));
  }
}

export function planBody(rest: object = {}): object {
  return { name: "Coffee club", amount: 49_900, interval: "month", ...rest };
}

export function startOf(planId: string, rest: object = {}): object {
  return { planId, contact: { name: "Ana Reyes", email: "ana@example.com" }, ...rest };
}

/** The data of a successful answer. */
export function ok<Data>({ status, body }: Answer<Data>): Data {
  expect(status, JSON.stringify(body)).toBe(200);
  expect(body.success).toBe(true);
  return body.data;
}

/** Holds an answer to be this refusal, and gives its message. */
export function refusedAs({ status, body }: Answer<unknown>, expectedStatus: number, code: string): string {
  expect([status, body.code], JSON.stringify(body)).toEqual([expectedStatus, code]);
  return body.message ?? "";
}

/** A simulator, and its merchant with an app that is connected at `SHOP`. */
export async function openShop(options: SimulatorOptions = {}): Promise<Merchant> {
  const sim = createSimulator({ webhookUrl: `${SHOP}/hooks`, ...options });
  const merchant = new Merchant(sim);
  sim.connect(SHOP, async (request) => {
    if (request.method === "POST") merchant.webhooks.push((await request.json()) as EventView["body"]);
    return new Response();
  });
  return merchant.logIn(sim.credentials);
}

/** A second merchant of the same service. */
export async function secondMerchant({ sim }: Merchant): Promise<Merchant> {
  const response = await sim.fetch(`${sim.authUrl}/merchants`, {
    method: "POST",
    headers: { "x-admin-key": sim.credentials.adminKey, "content-type": "application/json" },
    body: JSON.stringify({ name: "Other shop", email: "other@shop.example" }),
  });
  const { data } = (await response.json()) as { data: { clientId: string; clientSecret: string } };
  const merchant = new Merchant(sim);
  merchant.other = data;
  return merchant.logIn(data);
}

/** A moment some milliseconds after another. */
export function after(timestamp: string | undefined, milliseconds: number): string {
  return new Date(Date.parse(timestamp ?? "") + milliseconds).toISOString();
}

/** Any text of this shape, in a comparison of whole bodies. */
export function textLike(pattern: RegExp): unknown {
  return expect.stringMatching(pattern);
}
