import { createHmac } from "node:crypto";
import type { Client } from "centavo/client";
import { createClient } from "centavo/client";
import type { Simulator } from "centavo";
import { simulated } from "centavo/testing";
import type { SimulatedOptions, TestParts } from "centavo/testing";
import { expect } from "vitest";

export const SHOP = "https://shop.example";
export const HOOKS = `${SHOP}/hooks`;

/** The body of a checkout session of a book. */
export const book = {
  externalId: "order-1",
  amount: 49_900,
  description: "A book",
  webhookUrl: HOOKS,
  returnUrl: `${SHOP}/return`,
  contact: { name: "Ana Cruz", email: "ana@customer.example" },
};

/** The error of a simulated test that fails, as its runner gets it. */
export async function failureOf(
  options: SimulatedOptions,
  test: (parts: TestParts) => Promise<unknown>,
): Promise<Error & { readonly code?: string }> {
  const run = simulated({ webhookUrl: HOOKS, recordings: false, ...options }, test);
  try {
    await run();
  } catch (error) {
    return error as Error;
  }
  throw new Error("The test was meant to fail.");
}

/** The lines of the report below the message of an error. */
export function reportIn({ message }: Error): readonly string[] {
  const lines = message.split("\n");
  const start = lines.findLastIndex((line) => /^(Likely cause|No likely cause found): /.test(line));
  return start === -1 ? [] : lines.slice(start);
}

/** The name of the cause that the way out points to. */
function causeIn(report: readonly string[]): string | undefined {
  return /^ {2}Way out: .* \(node_modules\/centavo\/docs\/guide\/causes\.md#([\w-]+)\)\.$/.exec(report[1] ?? "")?.[1];
}

/** The first line of the report of a simulated test that fails. The option `cause` is the name of the one that it expects. */
export async function causeOf(
  { cause, ...options }: SimulatedOptions & { readonly cause?: string },
  test: (parts: TestParts) => Promise<unknown>,
): Promise<string> {
  const report = reportIn(await failureOf(options, test));
  expect(causeIn(report)).toBe(cause);
  return report[0] ?? "there is no report";
}

/** Connects a shop that takes every webhook. Returns the list to which it adds their bodies. */
export function takeWebhooks(sim: Simulator): readonly string[] {
  const taken: string[] = [];
  sim.connect(SHOP, async (request) => {
    taken.push(await request.text());
    return new Response();
  });
  return taken;
}

/** Creates and confirms a payment, as a shop does. */
export async function pay(client: Client, body: object = {}, method = "pm_card_approved"): Promise<string> {
  const { id } = await client.paymentIntents.create({ amount: 49_900, ...body });
  await client.paymentIntents.confirm(id, { paymentMethodId: method });
  return id;
}

/** A client with the global `fetch`, as a shop has one. */
export function shopClient(sim: Simulator, overrides: { readonly baseUrl?: string } = {}): Client {
  return createClient({
    baseUrl: sim.baseUrl,
    authUrl: sim.authUrl,
    ...sim.credentials,
    ...overrides,
    fetch: (...call) => fetch(...call),
  });
}

/** A shop's own check of the signature, over whatever it takes for the body. */
export function isSigned(header: string | string[] | null | undefined, body: string | Buffer, secret: string): boolean {
  const [, stamp = "", signature] = /^t=(\d+),te=(\w*),li=/.exec(String(header)) ?? [];
  return signature === createHmac("sha256", secret).update(`${stamp}.`).update(body).digest("hex");
}
