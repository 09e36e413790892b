import { createSimulator, type EventView, type Simulator, type SimulatorOptions } from "centavo";
import { createClient, type Client } from "centavo/client";
import {
  answerOf,
  ok,
  type Answer,
  type Changed,
  type Fields,
  type Invoice,
  type Paid,
  type Plan,
  type Started,
  type Subscription,
} from "./merchant/answers.ts";
import {
  HOOKS,
  loginForm,
  order,
  planBody,
  register,
  type Registered,
  SHOP,
  startOf,
  type MerchantCredentials,
} from "./merchant/requests.ts";

/** How long the app may take, in milliseconds: it answers at once, and a busy machine may hold it up. */
const PATIENCE = 60_000;

/** A webhook, as it arrived at the merchant's app. */
export interface Arrival {
  readonly headers: Headers;
  readonly body: string;
  /** The virtual time. */
  readonly at: string;
}

/** What the merchant's app answers to a webhook; `count` is how many have arrived with it. */
export type AppAnswer = (arrival: Arrival, count: number) => Response | Promise<Response>;

/** Who the merchant is, and how its code reaches the service: from memory, unless a test says otherwise. */
export interface MerchantOptions {
  readonly credentials?: MerchantCredentials;
  readonly fetch?: typeof fetch;
  readonly baseUrl?: string;
  readonly authUrl?: string;
}

/** A merchant: its code calls the service, and its app receives webhooks and the customers that come back. */
export class Merchant {
  readonly sim: Simulator;
  readonly credentials: MerchantCredentials;
  /** The webhooks that arrived, in order. */
  readonly arrivals: Arrival[] = [];
  /** Where customers came back to. */
  readonly visits: string[] = [];
  /** The merchant's typed client, which logs in by itself. */
  readonly client: Client;
  readonly #fetch: typeof fetch;
  readonly #baseUrl: string;
  readonly #authUrl: string;
  #token = "";
  /** The virtual time in milliseconds at which the token expires. */
  #expiresAt = 0;

  constructor(sim: Simulator, { credentials = sim.credentials, ...reach }: MerchantOptions = {}) {
    this.sim = sim;
    this.credentials = credentials;
    this.#fetch = reach.fetch ?? sim.fetch;
    this.#baseUrl = reach.baseUrl ?? sim.baseUrl;
    this.#authUrl = reach.authUrl ?? sim.authUrl;
    const { clientId, clientSecret } = credentials;
    this.client = createClient({ baseUrl: this.#baseUrl, fetch: this.#fetch, clientId, clientSecret });
  }

  /** A merchant of this simulator that has logged in. */
  static async of(sim: Simulator, options?: MerchantOptions): Promise<Merchant> {
    const merchant = new Merchant(sim, options);
    await merchant.logIn();
    return merchant;
  }

  /** The first merchant of a new simulator, with an app at `SHOP` that webhooks go to by default. */
  static async open(options: SimulatorOptions = {}, answer?: AppAnswer): Promise<Merchant> {
    const merchant = new Merchant(createSimulator({ webhookUrl: HOOKS, receiverTimeout: PATIENCE, ...options }));
    merchant.connect(answer);
    await merchant.logIn();
    return merchant;
  }

  /** Another merchant of the same service. */
  async neighbour(body?: object): Promise<Merchant> {
    const { id, ...credentials } = ok(await register<Registered>(this.sim, body));
    return Merchant.of(this.sim, { credentials: { ...credentials, merchantId: id } });
  }

  /** The same merchant in another world. */
  async in(sim: Simulator): Promise<Merchant> {
    return Merchant.of(sim, { credentials: this.credentials });
  }

  /** Connects the merchant's app, which keeps every arrival. */
  connect(answer: AppAnswer = () => new Response(), origin = SHOP): void {
    this.sim.connect(origin, async (request) => {
      if (request.method !== "POST") {
        this.visits.push(request.url);
        return new Response();
      }
      const arrival = { headers: request.headers, body: await request.text(), at: this.sim.clock.now() };
      return answer(arrival, this.arrivals.push(arrival));
    });
  }

  /** The bodies of the webhooks that arrived, in order. */
  get webhooks(): EventView["body"][] {
    return this.arrivals.map(({ body }) => JSON.parse(body) as EventView["body"]);
  }

  /** The types of the webhooks that arrived, in order. */
  get eventTypes(): unknown[] {
    return this.webhooks.map(({ type }) => type);
  }

  /** The types of the subscription webhooks that arrived, in order. */
  get subscriptionEvents(): unknown[] {
    return this.eventTypes.filter((type) => String(type).startsWith("subscription."));
  }

  /** The header with the merchant's token. */
  get authorization(): string {
    return `Bearer ${this.#token}`;
  }

  async logIn(): Promise<void> {
    const { status, body } = await answerOf(await this.#fetch(`${this.#authUrl}/oauth`, loginForm(this.credentials)));
    if (status !== 200) throw new Error(`The merchant cannot log in: ${JSON.stringify(body)}`);
    this.#token = String(body["access_token"]);
    this.#expiresAt = Date.parse(this.sim.clock.now()) + Number(body["expires_in"]) * 1000;
  }

  /** Calls the service, with a new token once the old one has expired. */
  async call<Data = Fields>(
    method: string,
    path: string,
    body?: object,
    headers: Readonly<Record<string, string>> = {},
  ): Promise<Answer<Data>> {
    if (Date.parse(this.sim.clock.now()) >= this.#expiresAt) await this.logIn();
    const response = await this.#fetch(this.#baseUrl + path, {
      method,
      headers: { authorization: this.authorization, "content-type": "application/json", ...headers },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    return answerOf<Data>(response);
  }

  async createIntent(body: object = {}): Promise<Fields> {
    return ok(await this.call("POST", "/api/payment-intent", { amount: 10_000, ...body }));
  }

  async confirm(
    intentId: string,
    method: string | object = "pm_card_approved",
    headers: Readonly<Record<string, string>> = {},
  ): Promise<Answer<Fields>> {
    const body = typeof method === "string" ? { paymentMethodId: method } : method;
    return this.call("POST", `/api/payment-intent/${intentId}/confirm`, body, headers);
  }

  /** Creates and confirms an intent, and returns its id. */
  async pay(body: object = { webhookUrl: HOOKS }, paymentMethodId?: string): Promise<string> {
    const { id } = await this.createIntent(body);
    ok(await this.confirm(id, paymentMethodId));
    return id;
  }

  async intentStatus(intentId: string): Promise<Fields> {
    return ok(await this.call("GET", `/api/payment-intent/${intentId}/status`));
  }

  async createCheckout(body: object = {}): Promise<Fields> {
    return ok(await this.call("POST", "/api/checkout", order(body)));
  }

  async processCheckout(sessionToken: string, paymentMethodId: string): Promise<Answer<Fields>> {
    return this.call("POST", `/api/checkout/process/${sessionToken}`, { paymentMethodId });
  }

  async pollCheckout(sessionToken: string): Promise<Answer<Fields>> {
    return this.call("GET", `/api/checkout/polling/${sessionToken}`);
  }

  async checkoutSession(sessionToken: string): Promise<Answer<Fields>> {
    const headers = { authorization: "", "x-admin-key": this.sim.credentials.adminKey };
    return this.call("GET", `/api/checkout/session/${sessionToken}`, undefined, headers);
  }

  async createPlan(body: object = {}): Promise<Plan> {
    return ok(await this.call<Plan>("POST", "/api/subscription/plans", planBody(body)));
  }

  async initiate(planId: string, body: object = {}): Promise<Started> {
    return ok(await this.call<Started>("POST", "/api/subscription/initiate", startOf(planId, body)));
  }

  async processPayment(subscriptionId: string, paymentMethodId = "pm_card_approved"): Promise<Answer<Paid>> {
    return this.call<Paid>("POST", "/api/subscription/process-payment", { subscriptionId, paymentMethodId });
  }

  async changeMethod(id: string, paymentMethodId: string): Promise<Answer<Changed>> {
    return this.call<Changed>("PATCH", `/api/subscription/${id}/payment-method`, { paymentMethodId });
  }

  async changePlan(id: string, planId: string): Promise<Answer<Subscription>> {
    return this.call<Subscription>("PATCH", `/api/subscription/${id}/plan`, { planId });
  }

  async cancelSubscription(id: string, reason?: string): Promise<Answer<Subscription>> {
    return this.call<Subscription>(
      "DELETE",
      `/api/subscription/${id}${reason === undefined ? "" : `?reason=${reason}`}`,
    );
  }

  async readSubscription(id: string): Promise<Subscription> {
    return ok(await this.call<Subscription>("GET", `/api/subscription/${id}`));
  }

  /** Confirms an invoice's intent with its client key alone, as the customer's browser does. */
  async confirmByKey({ id, clientKey }: Invoice["paymentIntent"], paymentMethodId: string): Promise<Answer<Paid>> {
    const headers = { authorization: `Bearer ${clientKey}` };
    return this.call<Paid>("POST", `/api/payment-intent/${id}/confirm`, { paymentMethodId }, headers);
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
    return this.#untilStatus(id, "active");
  }

  /** A monthly subscription whose first renewal has just failed. */
  async pastDue(paymentMethodId = "pm_card_declines_renewals", plan: object = {}): Promise<Subscription> {
    return this.#untilStatus((await this.subscribe(paymentMethodId, plan)).id, "past_due");
  }

  /** A subscription all of whose retries have just failed. */
  async unpaid(paymentMethodId = "pm_card_declines_renewals", plan: object = {}): Promise<Subscription> {
    return this.#untilStatus((await this.pastDue(paymentMethodId, plan)).id, "unpaid");
  }

  subscriptionStatus(id: string): string | undefined {
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

  async #untilStatus(id: string, status: string): Promise<Subscription> {
    await this.sim.clock.advanceUntil(() => this.subscriptionStatus(id) === status);
    return this.sim.subscriptions.get(id) as Subscription;
  }
}
