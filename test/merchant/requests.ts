import type { Simulator } from "centavo";
import { answerOf, type Answer, type Texts } from "./answers.ts";

/** The origin of the merchant's app. */
export const SHOP = "https://shop.example";
/** Where the merchant's app takes webhooks. */
export const HOOKS = `${SHOP}/hooks`;
export const CONTACT = { name: "Ana Reyes", email: "ana@example.com" };

export interface ClientCredentials {
  readonly clientId: string;
  readonly clientSecret: string;
}

/** Who a merchant is. */
export interface MerchantCredentials extends ClientCredentials {
  /** What a fault's `merchant` takes. */
  readonly merchantId: string;
  readonly webhookSecret: string;
}

/** What the service answers to a merchant that it registers. */
export type Registered = Omit<MerchantCredentials, "merchantId"> & { readonly id: string };

export interface Tokens {
  readonly access: string;
  readonly refresh: string;
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

/** The body of a checkout with every required field. */
export function order(rest: object = {}): object {
  return {
    externalId: "order-1",
    amount: 10_000,
    description: "Two coffees",
    webhookUrl: HOOKS,
    returnUrl: `${SHOP}/thanks`,
    contact: CONTACT,
    ...rest,
  };
}

/** The body of a plan with every required field. */
export function planBody(rest: object = {}): object {
  return { name: "Coffee club", amount: 49_900, interval: "month", ...rest };
}

/** The body that starts a subscription, with every required field. */
export function startOf(planId: string, rest: object = {}): object {
  return { planId, contact: CONTACT, ...rest };
}

/** The form that logs a client in. */
export function loginForm({ clientId, clientSecret }: ClientCredentials): RequestInit {
  return { method: "POST", body: new URLSearchParams({ client_id: clientId, client_secret: clientSecret }) };
}

export function postJson(body: unknown, headers: Readonly<Record<string, string>> = {}): RequestInit {
  return { method: "POST", headers: { "content-type": "application/json", ...headers }, body: JSON.stringify(body) };
}

/** The token call with a JSON body. */
export async function requestToken(
  sim: Simulator,
  body: unknown,
  headers: Readonly<Record<string, string>> = {},
): Promise<Answer> {
  return answerOf(await sim.fetch(`${sim.authUrl}/oauth`, postJson(body, headers)));
}

/** A token pair of the first merchant, or of another client. */
export async function tokensOf(sim: Simulator, client: ClientCredentials = sim.credentials): Promise<Tokens> {
  const { body } = await requestToken(sim, { client_id: client.clientId, client_secret: client.clientSecret });
  return { access: String(body["access_token"]), refresh: String(body["refresh_token"]) };
}

/** Calls the API with any bearer token or client key: GET without a body, POST with one. */
export async function callWith(
  bearer: string,
  sim: Simulator,
  path: string,
  body?: unknown,
  headers: Readonly<Record<string, string>> = {},
): Promise<Answer> {
  const sent = { authorization: `Bearer ${bearer}`, ...headers };
  return answerOf(await sim.fetch(sim.baseUrl + path, body === undefined ? { headers: sent } : postJson(body, sent)));
}

/** Registers a merchant, and returns the service's answer. */
export async function register<Data = Texts>(
  sim: Simulator,
  body: unknown = { name: "Second", email: "second@shop.example" },
): Promise<Answer<Data>> {
  const headers = { "x-admin-key": sim.credentials.adminKey };
  return answerOf(await sim.fetch(`${sim.authUrl}/merchants`, postJson(body, headers)));
}
