import { createSimulator } from "centavo";
import type { AssumptionOverrides } from "centavo";
import { openApiDocument } from "centavo/openapi";
import { describe, expect, test } from "vitest";
import { Merchant } from "../merchant.ts";
import { callWith, order, requestToken, tokensOf } from "../merchant/requests.ts";

type Document = ReturnType<typeof openApiDocument>;

const INTENT = "/api/payment-intent";

function statusesOf({ paths }: Document, path: string): string[] {
  return Object.keys(paths[path]?.["post"]?.responses ?? {});
}

function schemaOf({ components }: Document, name: string): { properties: Record<string, Record<string, unknown>> } {
  return components.schemas[name] as never;
}

/** What the document says under each value of an assumption, first the default. */
const cases: readonly (readonly [AssumptionOverrides, (document: Document) => unknown, unknown, unknown])[] = [
  [{ "http.success-status": 201 }, (document) => statusesOf(document, "/api/checkout").slice(0, 1), ["200"], ["201"]],
  [
    { "auth.token-errors": 401 },
    (document) => codesAt(document, 401),
    ["INVALID_CREDENTIALS"],
    ["INVALID_REFRESH_TOKEN", "INVALID_CREDENTIALS"],
  ],
  [
    { "http.rate-limit": { requests: 1, per: "1 minute" } },
    (document) => [statusesOf(document, INTENT).includes("429"), "RateLimited" in document.components.responses],
    [false, false],
    [true, true],
  ],
  [
    { "http.idempotency-key": "off" },
    (document) => [
      document.paths[INTENT]?.["post"]?.parameters?.map(({ name }) => name),
      statusesOf(document, INTENT).includes("409"),
    ],
    [["Idempotency-Key"], true],
    [undefined, false],
  ],
  [
    { "http.unknown-fields": "refuse" },
    (document) => document.components.schemas["PaymentIntentCreateRequest"]?.["additionalProperties"],
    undefined,
    false,
  ],
  [
    { "http.minimum-amount": 2000 },
    (document) =>
      ["PaymentIntentCreateRequest", "SubscriptionPlanCreateRequest", "CheckoutCreateRequest"].map(
        (name) => schemaOf(document, name).properties["amount"]?.["minimum"],
      ),
    [1, 1, 1],
    [2000, 2000, 1],
  ],
  [
    { "return.schemes": ["myshop"] },
    (document) =>
      new RegExp(String(schemaOf(document, "CheckoutCreateRequest").properties["returnUrl"]?.["pattern"])).test(
        "myshop://back",
      ),
    false,
    true,
  ],
  [
    { "intent.pending": "requires_payment_method" },
    (document) => schemaOf(document, "PaymentIntentCreateData").properties["status"]?.["const"],
    "pending",
    "requires_payment_method",
  ],
  [
    { "auth.token-response": { data: { token: "{access_token}" } } },
    (document) => "properties" in tokenAnswer(document),
    false,
    true,
  ],
  [{ "webhook.signature": "stripe" }, (document) => headersOf(document), ["X-Webhook-Signature"], ["Stripe-Signature"]],
  [
    { "webhook.signature": { scheme: "standard-webhooks", header: "svix-signature" } },
    (document) => headersOf(document),
    ["X-Webhook-Signature"],
    ["svix-id", "svix-timestamp", "svix-signature"],
  ],
];

function tokenAnswer(document: Document): object {
  const answer = document.paths["/oauth"]?.["post"]?.responses["200"] as {
    content: Record<string, { schema: object }>;
  };
  return answer.content["application/json"]?.schema ?? {};
}

function codesAt(document: Document, status: number): string[] {
  const answer = document.paths["/oauth"]?.["post"]?.responses[status];
  return [...String(answer !== undefined && "description" in answer && answer.description).matchAll(/`(\w+)`/g)].map(
    ([, code = ""]) => code,
  );
}

function headersOf({ webhooks }: Document): unknown {
  return webhooks["payment_intent"]?.post.parameters?.map(({ name }) => name);
}

describe("the document of a simulator follows", () => {
  test.each(cases)("%j", async (assumptions, look, byDefault, changed) => {
    const [id = ""] = Object.keys(assumptions);
    const documents = [await createSimulator().openapi(), await createSimulator({ assumptions }).openapi()] as const;
    expect(documents.map((document) => look(document))).toEqual([byDefault, changed]);
    const [first, second] = documents.map((document) => document["x-centavo-assumptions"][id as "http.cors"]);
    expect(second?.value).toEqual(assumptions[id as "http.cors"]);
    expect(first?.value).toEqual(first?.default);
    expect(openApiDocument({ assumptions })).toEqual(documents[1]);
  });

  test("what is answered", async () => {
    const assumptions = { "http.success-status": 201, "auth.token-errors": 401, "http.minimum-amount": 100 } as const;
    const sim = createSimulator({ assumptions });
    const document = await sim.openapi();
    const { access } = await tokensOf(sim);
    const refresh = await requestToken(sim, { grant_type: "refresh_token", refresh_token: "rt_fake_nobody" });
    const created = await callWith(access, sim, "/api/checkout", order());
    const refused = await callWith(access, sim, INTENT, { amount: 99 });
    expect([refresh.status, created.status, refused.status]).toEqual([401, 201, 400]);
    expect(statusesOf(document, "/oauth")).toContain("401");
    expect(statusesOf(document, "/api/checkout")).toContain("201");
    expect(statusesOf(document, "/api/checkout")).not.toContain("200");
  });
});

test("the document of a simulator has its addresses, also after a fork", async () => {
  const sim = createSimulator({ baseUrl: "https://pay.shop.example/v1", assumptions: { "http.success-status": 201 } });
  const document = await sim.openapi();
  expect(document.servers[0]?.url).toBe("https://pay.shop.example/v1");
  expect(await sim.fork().openapi()).toEqual(document);
});

test("asking for the document is no part of the run", async () => {
  const merchant = await Merchant.open();
  const before = [merchant.sim.journal.digest(), merchant.sim.assumptions.used()];
  await merchant.sim.openapi();
  expect([merchant.sim.journal.digest(), merchant.sim.assumptions.used()]).toEqual(before);
});

test("without assumptions the document allows what any value allows", () => {
  expect(statusesOf(openApiDocument(), "/api/checkout").slice(0, 2)).toEqual(["200", "201"]);
  expect(openApiDocument()["x-centavo-assumptions"]["http.cors"]).not.toHaveProperty("value");
});

test("an assumption that cannot be set is refused", () => {
  expect(() => openApiDocument({ assumptions: { "http.success-status": 204 as 200 } })).toThrow(
    /^openApiDocument: the assumption "http\.success-status" is 204/,
  );
});
