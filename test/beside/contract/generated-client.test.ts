import { execFile } from "node:child_process";
import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { createSimulator } from "centavo";
import { openApiDocument } from "centavo/openapi";
import { afterAll, beforeAll, expect, test } from "vitest";

const root = join(import.meta.dirname, "../../..");
const workspace = join(root, "installs/generators/openapi-typescript");
const folder = join(workspace, "generated");
const run = promisify(execFile);

/** What a merchant writes on the client that was generated from the document. */
const PROGRAM = `
import createClient from "openapi-fetch";
import type { paths } from "./payment-service.ts";

interface Options {
  readonly baseUrl: string;
  readonly authUrl: string;
  readonly fetch: (request: Request) => Promise<Response>;
  readonly clientId: string;
  readonly clientSecret: string;
}

export async function pay({ baseUrl, authUrl, fetch, clientId, clientSecret }: Options) {
  const auth = createClient<paths>({ baseUrl: authUrl, fetch });
  const token = await auth.POST("/oauth", { body: { client_id: clientId, client_secret: clientSecret } });
  if (token.data === undefined || !("access_token" in token.data)) throw new Error("no token");
  const client = createClient<paths>({
    baseUrl,
    fetch,
    headers: { authorization: \`Bearer \${token.data.access_token}\` },
  });

  const created = await client.POST("/api/payment-intent", {
    body: { amount: 10_000, metadata: { table: 7, tags: ["tea"] }, returnUrl: "https://shop.example/done" },
  });
  const intentId = created.data?.data.id ?? "";
  const path = { intentId };
  const confirmed = await client.POST("/api/payment-intent/{intentId}/confirm", {
    params: { path, header: { "Idempotency-Key": "order-1" } },
    body: { paymentMethodId: "gcash" },
  });
  const status = await client.GET("/api/payment-intent/{intentId}/status", { params: { path } });
  const again = await client.POST("/api/payment-intent/{intentId}/confirm", {
    params: { path: { intentId: "pi_none" } },
    body: { paymentMethod: "card", creditCardDetails: { cardNumber: "4343434343434345", expMonth: "12", expYear: "30", cvc: "123" } },
  });
  const invalid = await client.POST("/api/payment-intent", { body: { amount: 0 } });

  const plan = await client.POST("/api/subscription/plans", { body: { name: "Tea", amount: 49_900, interval: "month" } });
  const subscription = await client.POST("/api/subscription/initiate", {
    body: { planId: plan.data?.data.id ?? "", contact: { name: "Ana Cruz", email: "ana@customer.example" } },
  });
  const subscriptionId = subscription.data?.data.id ?? "";
  await client.POST("/api/subscription/process-payment", { body: { subscriptionId, paymentMethodId: "pm_card_approved" } });
  const subscriptions = await client.GET("/api/subscription", { params: { query: { limit: 5 } } });
  return {
    created: created.data?.data.status,
    confirmed: confirmed.data?.data.nextAction?.type,
    status: status.data?.data.status,
    unknown: again.error?.code,
    invalid: invalid.error?.errors.map(({ path: field }) => field),
    first: subscription.data?.data.latestInvoice.status,
    subscriptions: subscriptions.data?.data.items.map(({ id }) => id === subscriptionId),
  };
}
`;

/** Calls that the document does not allow. Each line has to be an error of its own. */
const WRONG = `
import createClient from "openapi-fetch";
import type { paths } from "./payment-service.ts";
const client = createClient<paths>();
void client.POST("/api/payment-intent", { body: { amount: "10" } });
void client.POST("/api/subscription/plans", { body: { name: "Tea", amount: 1, interval: "hour" } });
void client.GET("/api/payment-intent/{intentId}/status", { params: { path: { intent: "pi_1" } } });
`;

async function errorsIn(file: string): Promise<string[]> {
  const options = ["--noEmit", "--strict", "--target", "es2024", "--module", "nodenext", "--types", ""];
  const command = [join(root, "node_modules/typescript/bin/tsc"), ...options, "--allowImportingTsExtensions"];
  const found = await run(process.execPath, [...command, "--ignoreConfig", file], { cwd: folder }).catch(
    (error: { readonly stdout: string }) => error,
  );
  return found.stdout.split("\n").filter((line) => line.includes("error TS"));
}

beforeAll(async () => {
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, "openapi.json"), JSON.stringify(openApiDocument()));
  writeFileSync(join(folder, "program.ts"), PROGRAM);
  writeFileSync(join(folder, "wrong.ts"), WRONG);
  const generator = join(workspace, "node_modules/openapi-typescript/bin/cli.js");
  await run(process.execPath, [generator, "openapi.json", "--output", "payment-service.ts"], { cwd: folder });
});
afterAll(() => rmSync(folder, { recursive: true }));

test("a program on the client that openapi-typescript generates has no type errors", async () => {
  expect(await errorsIn("program.ts")).toEqual([]);
});

test("and the types refuse what the document does", async () => {
  const errors = await errorsIn("wrong.ts");
  expect(errors.map((line) => /\((\d+),/.exec(line)?.[1])).toEqual(["5", "6", "7"]);
});

test("the program pays, fails and subscribes as the service says", async () => {
  const sim = createSimulator();
  const { pay } = (await import(join(folder, "program.ts"))) as { pay: (options: object) => Promise<unknown> };
  const { baseUrl, authUrl, fetch, credentials } = sim;
  expect(await pay({ baseUrl, authUrl, fetch, ...credentials })).toEqual({
    created: "pending",
    confirmed: "redirect",
    status: "requires_action",
    unknown: "INTENT_NOT_FOUND",
    invalid: ["amount"],
    first: "open",
    subscriptions: [true],
  });
});
