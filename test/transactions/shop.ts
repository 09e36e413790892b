import { createSimulator } from "centavo";
import type { Simulator, SimulatorOptions } from "centavo";
import { createClient } from "centavo/client";
import type { Client, Transaction } from "centavo/client";

export const CONTACT = { name: "Ana Cruz", email: "ana@customer.example" };

interface Body {
  readonly success: boolean;
  readonly message?: string;
  readonly code?: string;
  readonly errors?: readonly { readonly path: string; readonly message: string; readonly code: string }[];
}

/** A merchant, by its own typed client and by plain requests where a client would not let a mistake through. */
export class Shop {
  readonly sim: Simulator;
  readonly client: Client;
  readonly #credentials: Credentials;

  constructor(sim: Simulator, credentials: Credentials = sim.credentials) {
    this.sim = sim;
    this.#credentials = credentials;
    this.client = createClient({ baseUrl: sim.baseUrl, fetch: sim.fetch, ...credentials });
  }

  static open(options: SimulatorOptions = {}): Shop {
    return new Shop(createSimulator(options));
  }

  /** Another merchant of the same service. */
  async neighbour(): Promise<Shop> {
    const response = await this.sim.fetch("/merchants", {
      method: "POST",
      headers: { "x-admin-key": this.sim.credentials.adminKey, "content-type": "application/json" },
      body: JSON.stringify({ name: "Second", email: "second@shop.example" }),
    });
    const { data } = (await response.json()) as { data: Credentials };
    return new Shop(this.sim, { clientId: data.clientId, clientSecret: data.clientSecret });
  }

  /** The same merchant in another world. */
  in(sim: Simulator): Shop {
    return new Shop(sim, this.#credentials);
  }

  /** A GET as it is written, with a token of its own. */
  async get(path: string): Promise<{ readonly status: number; readonly body: Body }> {
    const { clientId, clientSecret } = this.#credentials;
    const token = await this.sim.fetch("/oauth", {
      method: "POST",
      body: new URLSearchParams({ client_id: clientId, client_secret: clientSecret }),
    });
    const { access_token: access } = (await token.json()) as { access_token: string };
    const response = await this.sim.fetch(path, { headers: { authorization: `Bearer ${access}` } });
    return { status: response.status, body: (await response.json()) as Body };
  }

  /** An intent; confirmed where a method is named. Gives its transaction's id. */
  async intent(body: { amount?: number; externalId?: string } = {}, paymentMethodId?: string): Promise<string> {
    const { id, transactionId } = await this.client.paymentIntents.create({ amount: 10_000, ...body });
    if (paymentMethodId !== undefined) await this.client.paymentIntents.confirm(id, { paymentMethodId });
    return transactionId;
  }

  async session(body: { amount?: number; externalId?: string } = {}): ReturnType<Client["checkout"]["create"]> {
    return this.client.checkout.create({
      externalId: "order-1",
      amount: 10_000,
      description: "A pen",
      returnUrl: "https://shop.example/back",
      webhookUrl: "https://shop.example/hooks",
      contact: { ...CONTACT, contact: "+63 900 000 0000" },
      ...body,
    });
  }

  /** A subscription that is not paid yet. */
  async subscription(amount = 49_900): ReturnType<Client["subscriptions"]["initiate"]> {
    const plan = await this.client.plans.create({ name: "Coffee club", amount, interval: "month" });
    return this.client.subscriptions.initiate({ planId: plan.id, contact: CONTACT, externalId: "member-1" });
  }

  /** Every transaction that the API lists, page by page. */
  async transactions(): Promise<Transaction[]> {
    const found: Transaction[] = [];
    for (let hasMore = true; hasMore;) {
      const page = await this.client.transactions.list({ limit: 100, offset: found.length });
      found.push(...page.items);
      ({ hasMore } = page);
    }
    return found;
  }
}

interface Credentials {
  readonly clientId: string;
  readonly clientSecret: string;
}
