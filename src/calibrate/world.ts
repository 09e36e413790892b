import { OriginalDate } from "../kit/base/runtime/dates.ts";
import { isBasic } from "../kit/http/basic.ts";
import { createSimulator } from "../report/create-simulator.ts";
import type { AssumptionOverrides } from "../service/assumption-table.ts";
import type { Simulator } from "../simulator/simulator.ts";
import { namesOf } from "../service/wire/token-call.ts";
import type { TokenCallForm } from "../service/wire/token-call.ts";
import type { Header } from "../traffic/exchange.ts";
import { isRecord } from "./differences.ts";
import { isHidden } from "./names.ts";
import type { Names } from "./names.ts";
import { parsed } from "./steps.ts";
import type { Step } from "./steps.ts";

/** Something that a world sent: an answer, or a delivery. */
export interface Sent {
  readonly status: number;
  readonly headers: readonly Header[];
  readonly text: string;
  readonly document: unknown;
}

/** A delivery of a world. */
export interface Delivery extends Sent {
  readonly url: string;
  claimed: boolean;
}

/** How a request is played where the recording hides what it says, or names what only the real service knows. */
export interface Variant {
  /** `wrong` plays it with a credential that the world refuses, and `token` with an access token that the recording does not show. */
  readonly credential?: "wrong" | "token";
  /** The test method that stands for the recorded one. */
  readonly method?: string;
  /** The card that stands for the recorded one. */
  readonly card?: string;
  readonly words?: string;
}

/** Returns the status with which the merchant answers a delivery of a world. */
export type Merchant = (delivery: Delivery, names: Names) => number;

/** Where a world's service is. */
export const BASE_URL = "https://api.pay.example";
/** Headers that decide about an answer. */
const MATTERING = /^(?:accept|content-type|idempotency-key|origin|.*version)$/;
const METHOD_FIELDS = new Set(["paymentMethodId", "paymentMethod"]);
/** What the world takes for the parts of a card. */
const CARD: Readonly<Record<string, string>> = { cardNumber: "", expMonth: "12", expYear: "99", cvc: "123" };
const WRONG = "wrong-credential";
/** A token that lasts less than this is replaced, in seconds. */
const SHORTEST_TOKEN = 60;

/** A world in which a recording is played. */
export class World {
  readonly names: Names;
  readonly deliveries: Delivery[];
  readonly #sim: Simulator;
  readonly #origins: readonly string[];
  readonly #merchant: Merchant;
  /** How a token call is written. */
  readonly #form: TokenCallForm;
  #token: { readonly value: string; readonly until: number } | undefined;

  private constructor(
    sim: Simulator,
    names: Names,
    {
      origins,
      merchant,
      deliveries,
      form,
    }: { origins: readonly string[]; merchant: Merchant; deliveries: Delivery[]; form: TokenCallForm },
  ) {
    this.#sim = sim;
    this.names = names;
    this.#origins = origins;
    this.#merchant = merchant;
    this.deliveries = deliveries;
    this.#form = form;
    for (const origin of origins) sim.connect(origin, (request) => this.#receive(request));
  }

  /** @param origins of the merchant's receivers */
  static open(
    assumptions: AssumptionOverrides,
    now: number,
    {
      origins,
      merchant,
      webhookUrl,
      names,
    }: { origins: readonly string[]; merchant: Merchant; webhookUrl: string | undefined; names: Names },
  ): World {
    const sim = createSimulator({
      assumptions,
      now,
      baseUrl: BASE_URL,
      ...(webhookUrl === undefined ? {} : { webhookUrl }),
    });
    const { "auth.token-request": form = {} } = assumptions;
    return new World(sim, names, { origins, merchant, deliveries: [], form });
  }

  fork(): World {
    const deliveries = this.deliveries.map((delivery) => ({ ...delivery }));
    return new World(this.#sim.fork(), this.names.copy(), {
      origins: this.#origins,
      merchant: this.#merchant,
      deliveries,
      form: this.#form,
    });
  }

  get sim(): Simulator {
    return this.#sim;
  }

  get now(): number {
    return OriginalDate.parse(this.#sim.clock.now());
  }

  async close(): Promise<void> {
    await this.#sim.close();
  }

  /** Sends the request of a call, with the names of this world in it. */
  async call(step: Step, variant: Variant): Promise<Sent> {
    const { request } = step.exchange;
    const headers = new Headers();
    const type = request.headers.find(([name]) => name === "content-type")?.[1] ?? "";
    for (const [name, value] of request.headers) {
      if (MATTERING.test(name)) headers.append(name, this.names.translate(value));
      if (name === "x-admin-key")
        headers.set(name, variant.credential === "wrong" ? WRONG : this.#sim.credentials.adminKey);
      if (name === "authorization") headers.set(name, this.#authorization(value, variant));
    }
    if (variant.credential === "token") headers.set("authorization", `Bearer ${this.#currentToken()}`);
    const body =
      request.body === undefined || request.body === "" ? undefined : this.#body(request.body, type, variant);
    const response = await this.#sim.fetch(this.#address(step.path), {
      method: request.method,
      headers,
      redirect: "manual",
      ...(body === undefined || /^(?:GET|HEAD)$/.test(request.method) ? {} : { body }),
    });
    const text = await response.text();
    return {
      status: response.status,
      headers: [...response.headers],
      text,
      document: parsed(text),
    };
  }

  #address(path: string): string {
    // A URL writes the ellipsis of a shortened token so.
    return this.#sim.baseUrl + this.names.translate(path.replaceAll("%E2%80%A6", "…"));
  }

  #authorization(value: string, { credential }: Variant): string {
    const { clientId, clientSecret } = this.#sim.credentials;
    if (isBasic(value)) return `Basic ${btoa(`${clientId}:${credential === "wrong" ? WRONG : clientSecret}`)}`;
    if (credential === "wrong") return `Bearer ${WRONG}`;
    const [, recorded = ""] = /^Bearer\s+(\S+)$/i.exec(value) ?? [];
    return `Bearer ${this.names.worldOf(recorded) ?? this.#currentToken()}`;
  }

  /** Returns a token that the world accepts. */
  #currentToken(): string {
    if (this.#token === undefined || this.#token.until <= this.now) {
      const { clientId, clientSecret } = this.#sim.credentials;
      const { auth, engine } = this.#sim.internals.parts;
      const issued = engine.unit(() =>
        auth.token({
          body: { client_id: clientId, client_secret: clientSecret },
          authorization: undefined,
          publicUrl: this.#sim.baseUrl,
          publicAuthUrl: this.#sim.authUrl,
        }),
      );
      if ("declined" in issued) return WRONG;
      const until = this.now + (issued.expires_in - SHORTEST_TOKEN) * 1000;
      this.#token = { value: issued.access_token, until };
    }
    return this.#token.value;
  }

  #body(text: string, type: string, variant: Variant): string {
    if (type.includes("x-www-form-urlencoded")) {
      const form = new URLSearchParams(text);
      return new URLSearchParams(
        [...form].map(([name, value]) => [name, this.#field(name, value, variant)]),
      ).toString();
    }
    const document = parsed(text);
    // What is no JSON goes out as it is: the answer tells what the service makes of it.
    return document === undefined ? text : JSON.stringify(this.#translated("", document, variant));
  }

  #translated(name: string, value: unknown, variant: Variant): unknown {
    if (typeof value === "string") return this.#field(name, value, variant);
    if (Array.isArray(value)) return value.map((item) => this.#translated(name, item, variant));
    if (!isRecord(value)) return value;
    return Object.fromEntries(
      Object.entries(value).map(([member, part]) => [member, this.#translated(member, part, variant)]),
    );
  }

  #field(name: string, value: string, { credential, method, card }: Variant): string {
    const { clientId, clientSecret } = this.#sim.credentials;
    if (namesOf(this.#form, "client_id").includes(name)) return this.names.worldOf(value) ?? clientId;
    if (namesOf(this.#form, "client_secret").includes(name))
      return credential === "wrong" ? WRONG : (this.names.worldOf(value) ?? clientSecret);
    if (METHOD_FIELDS.has(name) && method !== undefined) return method;
    if (card !== undefined && Object.hasOwn(CARD, name)) return name === "cardNumber" ? card : (CARD[name] ?? value);
    return isHidden(value) ? value : this.names.translate(value);
  }

  async #receive(request: Request): Promise<Response> {
    const text = await request.text();
    if (request.method !== "POST") return new Response();
    const delivery = {
      url: request.url,
      status: 200,
      headers: [...request.headers],
      text,
      document: parsed(text),
      claimed: false,
    };
    this.deliveries.push(delivery);
    return new Response(null, { status: this.#merchant(delivery, this.names) });
  }
}
