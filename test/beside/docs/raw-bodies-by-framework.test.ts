import { mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { createSimulator } from "centavo";
import type { FetchApp } from "centavo";
import { createClient } from "centavo/client";
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from "vitest";
import { createShop } from "../frameworks/nest/shop.ts";

const page = readFileSync(join(import.meta.dirname, "../../../docs/guide/webhooks.md"), "utf8");
const [section = ""] = /^## The raw body, by framework\n.*?(?=^## )/ms.exec(page) ?? [];
const handlers = [...section.matchAll(/^(\w+(?:\.js)?)\. [^\n]*\n\n```ts\n(.*?)^```$/gms)].map(
  ([, framework = "", code = ""]) => ({ framework, code }),
);
const folder = join(import.meta.dirname, "extracted/handlers");

beforeAll(() => {
  mkdirSync(folder, { recursive: true });
});
afterEach(() => {
  vi.unstubAllEnvs();
});
afterAll(() => {
  rmSync(folder, { recursive: true, force: true });
});

/** What the block of one framework exports. */
interface Exported {
  readonly app?: FetchApp;
  readonly POST?: FetchApp;
  readonly WebhookGuard?: new () => Parameters<Awaited<ReturnType<typeof createShop>>["useGlobalGuards"]>[0];
}

test("the page has a handler for each framework", () => {
  expect(handlers.map(({ framework }) => framework)).toEqual(["Express", "Fastify", "Hono", "Koa", "Next.js", "Nest"]);
});

describe.for(handlers)("the handler for $framework", ({ framework, code }) => {
  test.for([
    ["takes what is signed with its secret", undefined, 200],
    ["refuses what is signed with another", "whsec_dGVzdA==", 401],
  ] as const)("%s", async ([, secret, status]) => {
    const file = join(folder, `${framework}.ts`);
    writeFileSync(file, code);
    const { app, POST, WebhookGuard } = (await import(file)) as Exported;
    const sim = createSimulator({
      webhookUrl: `https://shop.example${WebhookGuard ? "/api/hooks/payments" : "/hooks"}`,
    });
    vi.stubEnv("WEBHOOK_SECRET", secret ?? sim.credentials.webhookSecret);
    const handler = app ?? POST;
    if (handler !== undefined) sim.connect("https://shop.example", handler);
    if (WebhookGuard !== undefined)
      sim.connect("https://shop.example", (await createShop("Express")).useGlobalGuards(new WebhookGuard()));

    const client = createClient({ ...sim.credentials, baseUrl: sim.baseUrl, fetch: sim.fetch });
    const { id } = await client.paymentIntents.create({ amount: 10000 });
    await client.paymentIntents.confirm(id, { paymentMethodId: "pm_card_approved" });
    await sim.clock.settle();
    const statuses = sim.webhooks.attempts().map(({ answer }) => ("status" in answer ? answer.status : answer));
    expect(statuses.map((given) => (given === 201 ? 200 : given))).toEqual([status, status]);
    await sim.close();
  });
});
