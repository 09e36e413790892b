import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { ServiceError } from "centavo/client";
import { verifyWebhook } from "centavo/webhooks";
import type { TestParts } from "centavo/testing";
import { expect, onTestFinished, test } from "vitest";
import type { ReportedReliance } from "../../src/report/reported-variations.ts";
import type { VaryOptions } from "../../src/shake/vary.ts";
import { variedIn } from "./in-process.ts";
import type { Suite } from "./in-process.ts";

const SHOP = "https://shop.example";
const DECLINED = "pm_card_insufficient_funds";

type ShopParts = Pick<TestParts, "sim" | "network">;

/** Calls the service as a shop without any client does. */
async function shopCalls({ sim, network }: ShopParts) {
  const { clientId, clientSecret } = sim.credentials;
  const login = { grant_type: "client_credentials", client_id: clientId, client_secret: clientSecret };
  const token = await network.fetch(`${sim.baseUrl}/oauth`, { method: "POST", body: new URLSearchParams(login) });
  const { access_token } = (await token.json()) as { readonly access_token: string };
  return (path: string, body: object): Promise<Response> =>
    network.fetch(`${sim.baseUrl}${path}`, {
      method: "POST",
      headers: { authorization: `Bearer ${access_token}`, "content-type": "application/json" },
      body: JSON.stringify(body),
    });
}

/** Confirms an intent with a card, and returns the status of the answer. */
async function statusOf(parts: ShopParts, method: string): Promise<number> {
  const call = await shopCalls(parts);
  const created = await call("/api/payment-intent", { amount: 49_900 });
  await created.text();
  const id = parts.sim.intents.last()?.id ?? "";
  return (await call(`/api/payment-intent/${id}/confirm`, { paymentMethodId: method })).status;
}

/** Varies these rows alone. */
function only(...ids: readonly string[]): NonNullable<VaryOptions["isWanted"]> {
  return ({ id }) => ids.includes(id);
}

/** The reliances, each as its row and what of it. */
function named(reliances: readonly ReportedReliance[]): readonly string[] {
  return reliances.map(({ id, part }) => (part === undefined ? id : `${id}: ${part}`));
}

const declines: Suite = {
  "a decline is 402": async ({ sim, network }) => expect(await statusOf({ sim, network }, DECLINED)).toBe(402),
  "a decline is not a success": async ({ sim, network }) =>
    expect(await statusOf({ sim, network }, DECLINED)).not.toBe(200),
  "another decline is 402": async ({ sim, network }) => expect(await statusOf({ sim, network }, DECLINED)).toBe(402),
};

test("names the answer, its part, the tests that rely on it, how they fail, and how to run one alone", async () => {
  const { reliances, free } = await variedIn(declines, { isWanted: only("http.error-status", "http.error-body") });
  expect(named(reliances)).toContain("http.error-status: 402 for declines");
  const found = reliances.find(({ id }) => id === "http.error-status");
  expect(found).toMatchObject({
    question: "HTTP status of each error",
    value: {},
    sentence: "2 of 3 tests rely on http.error-status: 402 for declines, which the document does not say.",
    page: "docs/reference/assumptions.md#http.error-status",
    isAccepted: false,
  });
  expect(found?.tests.map(({ test: title, under, what }) => ({ title, under, what }))).toEqual(
    ["a decline is 402", "another decline is 402"].map((title) => ({
      title,
      under: { INSUFFICIENT_FUNDS: 400, "3D_SECURE_REQUIRED": 400 },
      what: "expected 400 to be 402 // Object.is equality",
    })),
  );
  expect(found?.tests[0]?.command).toMatch(/^npx centavo shake --replay \S+ -- npx vitest run$/);
  expect(free).toContain("http.error-body");
  expect(free).not.toContain("http.error-status");
});

test("what no error of a test is about is not tried in it", async () => {
  const tried: unknown[] = [];
  await variedIn(declines, {
    isWanted: only("http.error-status"),
    onTried: (each) => tried.push(...each.map(({ variation }) => variation.insteadOf)),
  });
  expect(tried).toEqual(["402 for declines", "402 for declines", "402 for declines"]);
});

test("what the document says comes after what it leaves open, and is told as what it says", async () => {
  const { reliances } = await variedIn({
    "an intent is created": async ({ sim, network }) => {
      const answer = await (await shopCalls({ sim, network }))("/api/payment-intent", { amount: 49_900 });
      expect(answer.status).toBe(200);
      expect(await answer.json()).toMatchObject({ success: true, data: { amount: 49_900 } });
    },
  });
  expect(named(reliances)).toEqual(
    expect.arrayContaining(["http.success-status", "auth.token-response", "http.envelope"]),
  );
  const firstSaid = reliances.findIndex(({ document }) => document !== undefined);
  expect(reliances.slice(firstSaid).every(({ document }) => document !== undefined)).toBe(true);
  const ofEnvelope = reliances.find(({ id }) => id === "http.envelope");
  expect(ofEnvelope).toMatchObject({
    document: "2",
    sentence:
      '1 of 1 test relies on http.envelope: {"success":true,"data":"{data}"}, which part 2 of the document says.',
  });
  // The test fails under both other envelopes, and counts once.
  expect(ofEnvelope?.tests).toHaveLength(2);
});

test("Centavo's own parts follow each answer, so a test that speaks through them relies on nothing", async () => {
  const { reliances, free } = await variedIn({
    "through the client": async ({ client, sim }) => {
      sim.connect(SHOP, async () => new Response());
      const { id } = await client.paymentIntents.create({
        amount: 49_900,
        description: "Shoes",
        externalId: "order-1",
        returnUrl: `${SHOP}/thanks`,
        contact: { name: "Ana Cruz", email: "ana@customer.example" },
      });
      await client.paymentIntents.confirm(id, { paymentMethodId: "pm_card_approved" });
      await sim.clock.advance("1 minute");
      expect(sim.intents.get(id)?.status).toBe("succeeded");
      expect(sim.webhooks.events().at(-1)?.body).toMatchObject({ data: { id } });
      const refused: unknown = await client.paymentIntents.status("pi_nothing").catch((error: unknown) => error);
      expect(refused).toBeInstanceOf(ServiceError);
      expect(refused).toMatchObject({ code: "INTENT_NOT_FOUND" });
    },
  });
  expect(named(reliances)).toEqual([]);
  expect(free).toEqual(
    expect.arrayContaining([
      "http.envelope",
      "http.error-body",
      "http.error-codes",
      "http.error-status",
      "webhook.intent",
    ]),
  );
});

test("a shop that reads its webhooks as it knows them relies on their shape and their signature", async () => {
  const { reliances, free } = await variedIn(
    {
      "the shop hears of a payment": async ({ client, sim }) => {
        const heard: string[] = [];
        sim.connect(SHOP, async (request) => {
          if (!request.headers.has("x-webhook-signature")) return new Response(null, { status: 401 });
          const event = await verifyWebhook(request, sim.credentials.webhookSecret);
          if (event.type === "payment_intent.succeeded") heard.push(event.data.id);
          return new Response();
        });
        const { id } = await client.paymentIntents.create({ amount: 49_900 });
        await client.paymentIntents.confirm(id, { paymentMethodId: "pm_card_approved" });
        await sim.clock.settle();
        expect(heard).toEqual([id]);
      },
    },
    {
      suite: { webhookUrl: `${SHOP}/hooks` },
      isWanted: only("webhook.intent", "webhook.signature", "webhook.order", "http.envelope"),
    },
  );
  expect(named(reliances)).toEqual(["webhook.intent", "webhook.signature"]);
  expect(free).toEqual(["http.envelope", "webhook.order"]);
});

test.for(["an object", "a file"])("what the suite decides in %s is known, and is not varied", async (where) => {
  const decided = { "http.error-status": { INSUFFICIENT_FUNDS: 402 }, "http.success-status": 200 } as const;
  const folder = mkdtempSync(join(tmpdir(), "vary-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const file = join(folder, "centavo.assumptions.json");
  writeFileSync(file, JSON.stringify(decided));
  const tried = new Set<string>();
  const told = await variedIn(declines, {
    suite: { assumptions: where === "a file" ? file : decided },
    isWanted: only("http.error-status", "http.error-body"),
    onTried: (each) => each.forEach(({ variation }) => tried.add(variation.id)),
  });
  expect(named(told.reliances)).not.toContain("http.error-status: 402 for declines");
  expect(told.decided).toEqual([
    { id: "http.success-status", tests: 3 },
    { id: "http.error-status", tests: 3 },
  ]);
  expect(tried).toContain("http.error-body");
  expect(tried).not.toContain("http.error-status");
});

test("a decided value stays in force while another row is varied", async () => {
  const { reliances, free } = await variedIn(
    { "a decline is 418": async ({ sim, network }) => expect(await statusOf({ sim, network }, DECLINED)).toBe(418) },
    {
      suite: { assumptions: { "http.error-status": { INSUFFICIENT_FUNDS: 418 } } },
      isWanted: only("auth.token-response", "http.error-body"),
    },
  );
  expect(named(reliances)).toEqual(["auth.token-response"]);
  expect(free).toEqual(["http.error-body"]);
});

test("a suite that rests on nothing that can be varied makes no run", async () => {
  const { runs, reliances, tests } = await variedIn({ "nothing is called": async ({ sim }) => void sim.clock.now() });
  expect({ runs, reliances, tests }).toEqual({ runs: 0, reliances: [], tests: 1 });
});

test("a test that fails already is left out, and said", async () => {
  const { failedAlready, reliances } = await variedIn({
    "it fails": async ({ sim, network }) => expect(await statusOf({ sim, network }, DECLINED)).toBe(500),
  });
  expect(failedAlready).toMatchObject([{ test: "it fails" }]);
  expect(reliances).toEqual([]);
});

test("what no run was left for is counted, and its answer is not told as one that nothing relies on", async () => {
  let runs = 0;
  const { left, free } = await variedIn(declines, {
    isWanted: only("http.envelope"),
    isOver: () => ++runs > 2,
  });
  expect({ left, free }).toEqual({ left: 3, free: [] });
});

test("what no call of a test is about is not tried in it", async () => {
  const tried = new Set<string>();
  await variedIn(declines, {
    isWanted: only("http.success-status"),
    onTried: (each) => each.forEach(({ variation }) => tried.add(JSON.stringify(variation.value))),
  });
  expect([...tried]).toEqual(["201"]);
});

test("a run varies one answer in each test, so a suite needs as many runs as its richest test has variations", async () => {
  const ofRuns: number[] = [];
  const { runs } = await variedIn(declines, {
    isWanted: only("http.success-status", "http.envelope"),
    onTried: (each) => ofRuns.push(each.length),
  });
  expect({ runs, ofRuns }).toEqual({ runs: 3, ofRuns: [3, 3, 3] });
});
