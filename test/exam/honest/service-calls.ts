import type { Opening } from "centavo/exam";

/** What the service answered. */
export interface Answer<Data> {
  readonly status: number;
  readonly data?: Data;
  readonly code?: string;
  /** The page where the customer goes on. */
  readonly redirectUrl?: string;
}

/** What clubs read of a subscription. */
export interface Subscription {
  readonly id: string;
  readonly status: string;
  readonly updatedAt: string;
  readonly plan: { readonly name: string };
  readonly latestInvoice: { readonly status: string; readonly periodEnd: string };
}

/** Calls the service, and again while nobody knows whether it heard: so each call must be one that can be repeated. */
export type Call = <Data>(
  method: "GET" | "POST" | "PATCH" | "DELETE",
  path: string,
  body?: object,
  key?: string,
) => Promise<Answer<Data>>;

const MOST_TRIES = 4;
/** In milliseconds. */
const ANSWER_WITHIN = 10_000;

/**
 * Returns how a merchant calls the service: with one token for all calls, and another once it is refused.
 * @throws {Error} in the call, when no try was answered
 */
export function callsOf({ sim, fetch, timeout }: Pick<Opening, "sim" | "fetch" | "timeout">): Call {
  const { clientId: client_id, clientSecret: client_secret } = sim.credentials;
  let token: Promise<string> | undefined;

  const login = async (): Promise<string> => {
    const body = new URLSearchParams({ grant_type: "client_credentials", client_id, client_secret });
    const response = await fetch(`${sim.authUrl}/oauth`, { method: "POST", body, signal: timeout(ANSWER_WITHIN) });
    if (!response.ok) throw new Error(`The token service answered ${response.status}.`);
    return ((await response.json()) as { access_token: string }).access_token;
  };

  return async <Data>(...[method, path, body, key]: Parameters<Call>): Promise<Answer<Data>> => {
    for (let triesLeft = MOST_TRIES - 1; ; triesLeft -= 1) {
      try {
        const headers = new Headers({ "content-type": "application/json" });
        headers.set("authorization", `Bearer ${await (token ??= login())}`);
        if (key !== undefined) headers.set("idempotency-key", key);
        const init = body === undefined ? { method } : { method, body: JSON.stringify(body) };
        const response = await fetch(sim.baseUrl + path, { ...init, headers, signal: timeout(ANSWER_WITHIN) });
        const { status } = response;
        const answer = (await response.json()) as Omit<Answer<Data>, "status">;
        // With a key, 409 says that the first call with it is still being answered.
        const isOpen = status === 401 || status === 429 || status >= 500 || (status === 409 && key !== undefined);
        if (isOpen) throw new Error(`${method} ${path} answered ${status}.`);
        return {
          redirectUrl: (answer.data as Answer<Data> | undefined)?.redirectUrl,
          ...answer,
          status,
        } as Answer<Data>;
      } catch (error) {
        token = undefined;
        if (triesLeft === 0) throw error;
      }
    }
  };
}
