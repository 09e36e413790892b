import { Ajv2020 } from "ajv/dist/2020.js";
import type { ValidateFunction } from "ajv/dist/2020.js";
import formats from "ajv-formats";
import { createSimulator } from "centavo";
import { openApiDocument } from "centavo/openapi";
import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { JsonSchema } from "../../src/kit/declaration/description.ts";
import { answerOf } from "../merchant/answers.ts";
import { Merchant } from "../merchant.ts";
import { HOOKS, tokensOf } from "../merchant/requests.ts";
import { arbitraryOf, mutated } from "./requests.ts";

const document = openApiDocument();
const ajv = new Ajv2020({ strict: false, validateSchema: false });
formats.default(ajv);
ajv.addSchema(document, "openapi");

const sim = createSimulator();
const { access } = await tokensOf(sim);
const basic = `Basic ${btoa(`${sim.credentials.clientId}:${sim.credentials.clientSecret}`)}`;

const operations = Object.entries(document.paths).flatMap(([path, methods]) =>
  Object.entries(methods).map(([method, operation]) => ({ path, method: method.toUpperCase(), operation })),
);

const withBody = operations.flatMap(({ path, method, operation }) => {
  const schema = operation.requestBody?.content["application/json"]?.schema;
  return schema === undefined ? [] : [{ name: operation.operationId, path, method, schema }];
});
const withQuery = operations.flatMap(({ path, method, operation }) => {
  const parameters = (operation.parameters ?? []).filter((parameter) => parameter.in === "query");
  return parameters.length === 0 ? [] : [{ name: operation.operationId, path, method, parameters }];
});

/** Sends a request to some resource, which need not exist: what it says is judged first. Returns whether its shape was refused. */
async function refusesShape(path: string, method: string, query: string, body?: string): Promise<boolean> {
  const headers = {
    authorization: path === "/oauth" ? basic : `Bearer ${access}`,
    "x-admin-key": sim.credentials.adminKey,
    ...(body === undefined ? {} : { "content-type": "application/json" }),
  };
  const address = `${path.replaceAll(/\{\w+\}/g, "some")}${query === "" ? "" : `?${query}`}`;
  const answer = await answerOf(await sim.fetch(address, { method, headers, ...(body === undefined ? {} : { body }) }));
  return answer.status === 400 && answer.body["code"] === "VALIDATION_ERROR";
}

/** What the service asks and JSON Schema cannot say; the document says it in words. */
function isBeyondSchemas(body: unknown): boolean {
  const { paymentMethodId, paymentMethod, metadata, returnUrl, webhookUrl } = (body ?? {}) as Record<string, unknown>;
  const structures = Object.values(Object(metadata) as object).filter((value) => typeof value === "object");
  return (
    (paymentMethodId !== undefined && paymentMethod !== undefined && paymentMethodId !== paymentMethod) ||
    structures.some((value) => JSON.stringify(value).length > 500) ||
    [returnUrl, webhookUrl].some((url) => typeof url === "string" && !URL.canParse(url))
  );
}

describe("a request body is refused for its shape if, and only if, the OpenAPI document refuses it", () => {
  test.for(withBody)("by $name", async ({ path, method, schema }) => {
    const accepts: ValidateFunction = ajv.compile(absolute(schema));
    const valid = arbitraryOf(schema, document.components.schemas);
    const seen = { accepted: 0, refused: 0 };
    await fc.assert(
      fc.asyncProperty(fc.oneof(valid, mutated(valid)), async (body) => {
        fc.pre(!isBeyondSchemas(body));
        const accepted = accepts(body);
        seen[accepted ? "accepted" : "refused"] += 1;
        expect(await refusesShape(path, method, "", JSON.stringify(body))).toBe(!accepted);
      }),
      { seed: 20260101, numRuns: 150 },
    );
    expect(Math.min(seen.accepted, seen.refused)).toBeGreaterThan(10);
  });
});

describe("a query is refused for its shape if, and only if, the OpenAPI document refuses it", () => {
  test.for(withQuery)("by $name", async ({ path, method, parameters }) => {
    const fields = parameters.map(({ name, schema }) => {
      const accepts: ValidateFunction = ajv.compile(absolute(schema));
      const valid = arbitraryOf(schema, document.components.schemas).map(String);
      const wrong = fc.constantFrom(
        "",
        "-1",
        "101",
        "1.5",
        "paid",
        "2026-02-30",
        "2026-01-01T00:00:00",
        "x".repeat(1001),
      );
      const { type } = schema;
      const asNumber =
        type === "integer" ? /^-?\d+$/ : type === "number" ? /^-?\d+(?:\.\d+)?(?:e[+-]?\d+)?$/ : undefined;
      // As OpenAPI reads the text of a number.
      const isAccepted = (text: string): boolean => accepts(asNumber?.test(text) === true ? Number(text) : text);
      return {
        name,
        value: fc.option(fc.oneof({ weight: 3, arbitrary: valid }, wrong), { nil: undefined }),
        isAccepted,
      };
    });
    const queries = fc.record(Object.fromEntries(fields.map(({ name, value }) => [name, value])));
    await fc.assert(
      fc.asyncProperty(queries, async (query) => {
        // The bounds of a range, and a cursor, are compared with something that the schema of one parameter does not know.
        fc.pre(
          query["after"] === undefined &&
            !(query["dateFrom"] && query["dateTo"]) &&
            !(query["amountMin"] && query["amountMax"]),
        );
        const given = Object.entries(query).filter((entry): entry is [string, string] => entry[1] !== undefined);
        const accepted = given.every(([name, text]) => fields.find((field) => field.name === name)?.isAccepted(text));
        const refused = await refusesShape(path, method, String(new URLSearchParams(given)));
        expect(refused).toBe(!accepted);
      }),
      { seed: 20260101, numRuns: 100 },
    );
  });
});

test.each([
  ["a return address of another scheme", "PaymentIntentCreateRequest", { amount: 1, returnUrl: "ftp://shop.example" }],
  [
    "a webhook address with a password",
    "PaymentIntentCreateRequest",
    { amount: 1, webhookUrl: "https://a:b@shop.example" },
  ],
  ["metadata of long values", "PaymentIntentCreateRequest", { amount: 1, metadata: { note: "x".repeat(501) } }],
  ["card details without a method", "PaymentIntentConfirmRequest", { creditCardDetails: {} }],
  ["a card without its details", "PaymentIntentConfirmRequest", { paymentMethod: "card" }],
  ["a payment for no subscription", "SubscriptionProcessPaymentRequest", { paymentMethodId: "gcash" }],
  ["a refresh without a token", "OauthTokenRequest", { grant_type: "refresh_token" }],
])("the OpenAPI document refuses %s", (_, name, body) => {
  expect(ajv.validate({ $ref: `openapi#/components/schemas/${name}` }, body)).toBe(false);
});

test("every delivery has the signature header that the OpenAPI document declares", async () => {
  const merchant = await Merchant.open();
  await merchant.pay({ webhookUrl: HOOKS });
  await merchant.sim.clock.settle();
  const parameters = document.webhooks["payment_intent"]?.post.parameters ?? [];
  expect(parameters.map(({ name, in: place, required }) => [name, place, required])).toEqual([
    ["X-Webhook-Signature", "header", true],
  ]);
  for (const { headers } of merchant.arrivals)
    for (const { name, schema } of parameters) expect(ajv.validate(schema, headers.get(name))).toBe(true);
  expect(merchant.arrivals).toHaveLength(2);
});

/** Lets the references of a schema lead to the document. */
function absolute(schema: JsonSchema): JsonSchema {
  return JSON.parse(JSON.stringify(schema).replaceAll('"#/', '"openapi#/')) as JsonSchema;
}
