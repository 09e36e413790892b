import type { Opening } from "centavo/exam";

/** What the service answered. */
export interface Answer {
  readonly data?: { readonly id?: string; readonly status?: string; readonly redirectUrl?: string };
  readonly code?: string;
  readonly redirectUrl?: string;
}

/** The service did not answer, or nobody knows what. */
class Unanswered extends Error {
  override readonly name = "Unanswered";
}

/** The service's API. It pauses longer after each failure. */
export class PaymentService {
  readonly #opening: Pick<Opening, "sim" | "fetch" | "timeout" | "sleep">;
  #token: string | undefined;

  constructor(opening: Pick<Opening, "sim" | "fetch" | "timeout" | "sleep">) {
    this.#opening = opening;
  }

  async call(method: string, path: string, body?: object, key?: string): Promise<Answer> {
    for (let pause = 1000; pause <= 4000; pause *= 2) {
      const answer = await this.#try(method, path, body, key).catch(() => undefined);
      if (answer !== undefined) return answer;
      await this.#opening.sleep(pause);
    }
    throw new Unanswered(`The service did not answer ${method} ${path}.`);
  }

  async #try(method: string, path: string, body?: object, key?: string): Promise<Answer | undefined> {
    const { sim, fetch, timeout } = this.#opening;
    this.#token ??= await this.#login();
    const headers = new Headers({ authorization: `Bearer ${this.#token}`, "content-type": "application/json" });
    if (key !== undefined) headers.set("idempotency-key", key);
    const init = { method, headers, signal: timeout("6 seconds") };
    const response = await fetch(sim.baseUrl + path, body ? { ...init, body: JSON.stringify(body) } : init);
    if (response.status === 401) this.#token = undefined;
    if (response.status >= 500 || response.status === 401 || response.status === 429) return undefined;
    const answer = (await response.json()) as Answer;
    return response.status === 409 && answer.code !== "INTENT_ALREADY_CONFIRMED" ? undefined : answer;
  }

  async #login(): Promise<string> {
    const { sim, fetch, timeout } = this.#opening;
    const { clientId: client_id, clientSecret: client_secret } = sim.credentials;
    const body = new URLSearchParams({ grant_type: "client_credentials", client_id, client_secret });
    const response = await fetch(`${sim.authUrl}/oauth`, { method: "POST", body, signal: timeout("6 seconds") });
    const { access_token: token } = (await response.json()) as { access_token?: string };
    if (token === undefined) throw new Unanswered("The token service gave no token.");
    return token;
  }
}
