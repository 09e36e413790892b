import { createSimulator, type EventView, type Simulator, type SimulatorOptions } from "centavo";
import { expect } from "vitest";

const SHOP = "https://shop.example";

/** An answer of the service: its status, and its body as the merchant's code reads it. */
export interface Answer {
  readonly status: number;
  readonly headers: Headers;
  readonly body: {
    readonly success: boolean;
    readonly data: Fields;
    readonly message?: string;
    readonly code?: string;
    readonly errors?: readonly { readonly path: string; readonly message: string; readonly code: string }[];
    readonly redirectUrl?: string;
    readonly nextAction?: object;
  };
}

/** The fields that tests follow up; whole shapes are compared as they are. */
export interface Fields {
  readonly id: string;
  readonly status: string;
  readonly transactionId: string;
  readonly sessionToken: string;
  readonly clientKey: string;
  readonly checkoutUrl: string;
  readonly redirectUrl: string;
  readonly expiresAt: string;
  readonly fee: number;
  readonly requiresAction: boolean;
  readonly paymentMethod?: { readonly id: string; readonly type: string };
}

export interface Card {
  readonly cardNumber: string;
  readonly expMonth: string;
  readonly expYear: string;
  readonly cvc: string;
}

/** A card that will not expire while a test runs. */
export function cardWith(cardNumber: string, rest: Partial<Card> = {}): Card {
  return { cardNumber, expMonth: "12", expYear: "2030", cvc: "123", ...rest };
}

/** A merchant: its code calls the service through `sim.fetch`, its app keeps the webhooks and the customers that come back. */
export class Merchant {
  readonly sim: Simulator;
  /** The bodies of the webhooks that arrived, in order. */
  readonly webhooks: EventView["body"][] = [];
  /** Where customers came back to. */
  readonly visits: string[] = [];
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

  async call(
    method: "GET" | "POST",
    path: string,
    body?: object,
    headers: Readonly<Record<string, string>> = {},
  ): Promise<Answer> {
    const response = await this.sim.fetch(path, {
      method,
      headers: { authorization: `Bearer ${this.#token}`, "content-type": "application/json", ...headers },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    return { status: response.status, headers: response.headers, body: (await response.json()) as Answer["body"] };
  }

  async createIntent(body: object = {}): Promise<Fields> {
    return ok(await this.call("POST", "/api/payment-intent", { amount: 10_000, ...body }));
  }

  async confirm(
    intentId: string,
    body: string | object,
    headers: Readonly<Record<string, string>> = {},
  ): Promise<Answer> {
    const method = typeof body === "string" ? { paymentMethodId: body } : body;
    return this.call("POST", `/api/payment-intent/${intentId}/confirm`, method, headers);
  }

  async intentStatus(intentId: string): Promise<Fields> {
    return ok(await this.call("GET", `/api/payment-intent/${intentId}/status`));
  }

  async createCheckout(body: object = {}): Promise<Fields> {
    return ok(await this.call("POST", "/api/checkout", order(body)));
  }

  async process(sessionToken: string, paymentMethodId: string): Promise<Answer> {
    return this.call("POST", `/api/checkout/process/${sessionToken}`, { paymentMethodId });
  }

  async poll(sessionToken: string): Promise<Answer> {
    return this.call("GET", `/api/checkout/polling/${sessionToken}`);
  }

  async session(sessionToken: string): Promise<Answer> {
    const headers = { authorization: "", "x-admin-key": this.sim.credentials.adminKey };
    return this.call("GET", `/api/checkout/session/${sessionToken}`, undefined, headers);
  }

  /** The types of the webhooks that arrived so far, in order. */
  get eventTypes(): unknown[] {
    return this.webhooks.map(({ type }) => type);
  }
}

/** The body of a checkout with every required field. */
export function order(rest: object = {}): object {
  return {
    externalId: "order-1",
    amount: 10_000,
    description: "Two coffees",
    webhookUrl: `${SHOP}/hooks`,
    returnUrl: `${SHOP}/thanks`,
    contact: { name: "Ana Reyes", email: "ana@example.com" },
    ...rest,
  };
}

/** The data of a successful answer. */
export function ok({ status, body }: Answer): Fields {
  expect(status, JSON.stringify(body)).toBe(200);
  expect(body.success).toBe(true);
  return body.data;
}

/** A simulator, and its merchant with a token that outlives the test and an app that is connected at `SHOP`. */
export async function openShop(options: SimulatorOptions = {}): Promise<Merchant> {
  const assumptions = { "auth.token-lifetime": "1000 days", ...options.assumptions };
  const sim = createSimulator({ webhookUrl: `${SHOP}/hooks`, ...options, assumptions });
  const merchant = new Merchant(sim);
  sim.connect(SHOP, async (request) => {
    if (request.method === "POST") merchant.webhooks.push((await request.json()) as EventView["body"]);
    else merchant.visits.push(request.url);
    return new Response();
  });
  return merchant.logIn(sim.credentials);
}
