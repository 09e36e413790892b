import { createSimulator, type Simulator, type SimulatorOptions } from "centavo";
import { expect } from "vitest";

export const SHOP = "https://shop.example";
export const HOOKS = `${SHOP}/hooks`;

/** A webhook, as it arrived at the merchant's app. */
export interface Arrival {
  readonly headers: Headers;
  readonly body: string;
  /** The virtual time. */
  readonly at: string;
}

/** A merchant's code: it has a token, and calls the service by any function with the signature of `fetch`. */
export class Merchant {
  readonly #fetch: typeof fetch;
  readonly #baseUrl: string;
  #token = "";

  constructor(call: typeof fetch, baseUrl: string) {
    this.#fetch = call;
    this.#baseUrl = baseUrl;
  }

  static async of(sim: Simulator): Promise<Merchant> {
    const merchant = new Merchant(sim.fetch, sim.baseUrl);
    await merchant.logIn(`${sim.authUrl}/oauth`, sim.credentials);
    return merchant;
  }

  async logIn(url: string, { clientId, clientSecret }: Simulator["credentials"]): Promise<void> {
    const body = new URLSearchParams({ client_id: clientId, client_secret: clientSecret });
    const response = await this.#fetch(url, { method: "POST", body });
    this.#token = ((await response.json()) as { access_token: string }).access_token;
  }

  async call<Data>(method: string, path: string, body?: object): Promise<Data> {
    const response = await this.#fetch(this.#baseUrl + path, {
      method,
      headers: { authorization: `Bearer ${this.#token}`, "content-type": "application/json" },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    const answer = (await response.json()) as { data: Data };
    expect(response.status, JSON.stringify(answer)).toBe(200);
    return answer.data;
  }

  async create(body: object = {}): Promise<string> {
    const { id } = await this.call<{ id: string }>("POST", "/api/payment-intent", { amount: 10000, ...body });
    return id;
  }

  async confirm(id: string, paymentMethodId = "pm_card_approved"): Promise<string> {
    await this.call("POST", `/api/payment-intent/${id}/confirm`, { paymentMethodId });
    return id;
  }

  /** Creates and confirms an intent, which announces `payment_intent.processing`, and `.succeeded` when the clock moves. */
  async pay(body: object = { webhookUrl: HOOKS }): Promise<string> {
    return this.confirm(await this.create(body));
  }

  async status(id: string): Promise<string> {
    const { status } = await this.call<{ status: string }>("GET", `/api/payment-intent/${id}/status`);
    return status;
  }
}

/** A simulator whose merchant's app keeps the webhooks that arrive and answers them with `answer`. */
export function shop(
  answer: (arrival: Arrival, count: number) => Response | Promise<Response> = () => new Response(),
  options: SimulatorOptions = {},
): { readonly sim: Simulator; readonly arrivals: Arrival[] } {
  const sim = createSimulator(options);
  const arrivals: Arrival[] = [];
  sim.connect(SHOP, async (request) => {
    if (request.method !== "POST") return new Response("Thank you");
    const arrival = { headers: request.headers, body: await request.text(), at: sim.clock.now() };
    arrivals.push(arrival);
    return answer(arrival, arrivals.length);
  });
  return { sim, arrivals };
}

/** What arrived, in order, by type. */
export function typesOf(arrivals: readonly Arrival[]): string[] {
  return arrivals.map(({ body }) => (JSON.parse(body) as { type: string }).type);
}
