import type { Simulator } from "centavo";
import { expect } from "vitest";

/** An answer of the service with its parsed body. */
export interface Answer {
  readonly status: number;
  readonly headers: Headers;
  readonly body: Readonly<Record<string, unknown>>;
}

export async function answerOf(response: Response): Promise<Answer> {
  const text = await response.text();
  const body = text === "" ? {} : (JSON.parse(text) as Record<string, unknown>);
  return { status: response.status, headers: response.headers, body };
}

export function postJson(body: unknown, headers: Record<string, string> = {}): RequestInit {
  return { method: "POST", headers: { "content-type": "application/json", ...headers }, body: JSON.stringify(body) };
}

/** The token call with a JSON body. */
export async function requestToken(
  sim: Simulator,
  body: unknown,
  headers: Record<string, string> = {},
): Promise<Answer> {
  return answerOf(await sim.fetch(`${sim.authUrl}/oauth`, postJson(body, headers)));
}

export interface Tokens {
  readonly access: string;
  readonly refresh: string;
}

/** A token pair of the first merchant, or of the client that is named. */
export async function tokensOf(
  sim: Simulator,
  client: { clientId: string; clientSecret: string } = sim.credentials,
): Promise<Tokens> {
  const { body } = await requestToken(sim, { client_id: client.clientId, client_secret: client.clientSecret });
  return { access: String(body["access_token"]), refresh: String(body["refresh_token"]) };
}

/** Calls the API as a merchant or with a client key: GET without a body, POST with one. */
export async function call(
  sim: Simulator,
  bearer: string,
  path: string,
  body?: unknown,
  headers: Record<string, string> = {},
): Promise<Answer> {
  const sent = { authorization: `Bearer ${bearer}`, ...headers };
  return answerOf(await sim.fetch(sim.baseUrl + path, body === undefined ? { headers: sent } : postJson(body, sent)));
}

/** The `data` of a successful answer. */
export function dataOf({ status, body }: Answer): Readonly<Record<string, string>> {
  if (status >= 300) throw new Error(`The service answered ${status}: ${JSON.stringify(body)}`);
  return body["data"] as Record<string, string>;
}

/** What was registered as `POST {auth_url}/merchants` answers it. */
export async function register(
  sim: Simulator,
  body: unknown = { name: "Second", email: "second@shop.example" },
): Promise<Answer> {
  return answerOf(
    await sim.fetch(`${sim.authUrl}/merchants`, postJson(body, { "x-admin-key": sim.credentials.adminKey })),
  );
}

/** A world without its journal, which notes refused requests too. */
export function worldOf(sim: Simulator): unknown {
  const { journal: _, ...world } = sim.snapshot().world;
  return world;
}

/** vitest types its asymmetric matchers as `any`; these are the same, typed. */
export const anyText: unknown = expect.any(String);
export const anyList: unknown = expect.any(Array);
export const matching = (pattern: RegExp): unknown => expect.stringMatching(pattern);
