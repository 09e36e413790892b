import type { Simulator } from "../../../src/index.ts";
import type { Answer } from "../oracle/words.ts";

const PAGE = 100;

/** An object of an answer. */
export type Fields = Readonly<Record<string, unknown>>;

interface Page {
  readonly items: readonly Fields[];
  readonly hasMore: boolean;
}

/** The HTTP calls of a merchant, which logs in when its token expires. */
export class Calls {
  /** How many requests were sent. */
  count = 0;
  readonly #sim: Simulator;
  readonly #send: Simulator["fetch"];
  #token = "";
  #expires = 0;

  /** @param send sends a request to the service */
  constructor(sim: Simulator, send: Simulator["fetch"]) {
    this.#sim = sim;
    this.#send = send;
  }

  /** Reads a whole list page by page, and returns it oldest first. */
  async list(path: string): Promise<Fields[]> {
    const items: Fields[] = [];
    for (let more = true; more;) {
      const { body } = await this.send("GET", `${path}?limit=${PAGE}&offset=${items.length}`);
      const page = body["data"] as Page;
      items.push(...page.items);
      more = page.hasMore;
    }
    return items.toReversed();
  }

  /** Returns what the oracle says of an answer. */
  async answer(method: string, path: string, body?: object): Promise<Answer> {
    const { status: http, body: parsed } = await this.send(method, path, body);
    const { code, data } = parsed as { code?: string; data?: { status?: string } };
    return {
      http,
      ...(code === undefined ? {} : { code }),
      ...(data?.status === undefined ? {} : { status: data.status }),
    };
  }

  async send(method: string, path: string, body?: object): Promise<{ readonly status: number; readonly body: Fields }> {
    if (Date.parse(this.#sim.clock.now()) >= this.#expires) await this.#logIn();
    this.count += 1;
    const response = await this.#send(`${this.#sim.baseUrl}${path}`, {
      method,
      headers: { authorization: `Bearer ${this.#token}`, "content-type": "application/json" },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    return { status: response.status, body: (await response.json()) as Fields };
  }

  async #logIn(): Promise<void> {
    const { credentials, authUrl, clock } = this.#sim;
    this.count += 1;
    const body = new URLSearchParams({ client_id: credentials.clientId, client_secret: credentials.clientSecret });
    // A service may keep to itself for how long a token lives.
    const { access_token: token, expires_in: seconds = 3600 } = (await (
      await this.#send(`${authUrl}/oauth`, { method: "POST", body })
    ).json()) as { access_token: string; expires_in?: number };
    this.#token = token;
    // A token's times are whole seconds (RFC 7519), so it may expire up to one earlier.
    this.#expires = Date.parse(clock.now()) + (seconds - 1) * 1000;
  }
}
