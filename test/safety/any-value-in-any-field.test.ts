import { createSimulator } from "centavo";
import { describe, expect, test } from "vitest";
import * as z from "zod/mini";
import { routesIn } from "../../src/kit/declaration/define-service.ts";
import type { AnyRoute } from "../../src/kit/http/route.ts";
import { paymentService } from "../../src/service/service.ts";
import { ok } from "../merchant/answers.ts";
import { callWith, order, tokensOf } from "../merchant/requests.ts";

interface Schema {
  readonly type?: string;
  readonly format?: string;
  readonly enum?: readonly unknown[];
  readonly const?: unknown;
  readonly pattern?: string;
  readonly properties?: Readonly<Record<string, Schema>>;
}

/** Every type of JSON, and objects that mean something else to JavaScript than to JSON. As text, because a literal cannot say `__proto__`. */
const values = [
  "null",
  "true",
  "-1.5",
  "1e400",
  '""',
  '"x"',
  "[]",
  "[[null]]",
  "{}",
  ...["0", "2", "1e400", '"1"', "null", "[]", '{"toString":null}'].map((length) => `{"length":${length}}`),
  '{"size":{"toString":null}}',
  '{"toString":null,"valueOf":null}',
  '{"toJSON":null,"then":null,"constructor":null,"hasOwnProperty":null}',
  '{"__proto__":{"toString":null}}',
  '[{"toString":null}]',
];

const samples: Readonly<Record<string, string>> = {
  uri: "https://shop.example",
  "date-time": "2026-01-01T00:00:00.000Z",
};

/** Returns a value that a schema accepts, or nearly: what it says beside the type is covered by the tests of each field. */
function sampleOf({ type, format = "", enum: words, const: only, properties }: Schema): unknown {
  if (only !== undefined) return only;
  if (words !== undefined) return words[0];
  if (properties !== undefined)
    return Object.fromEntries(Object.entries(properties).map(([name, inner]) => [name, sampleOf(inner)]));
  if (type === "object") return {};
  if (type === "boolean") return true;
  return type === "integer" || type === "number" ? 1 : (samples[format] ?? "x");
}

function pathsOf({ properties = {} }: Schema, above: readonly string[] = []): string[][] {
  return Object.entries(properties).flatMap(([name, inner]) => {
    const path = [...above, name];
    return [path].concat(pathsOf(inner, path));
  });
}

/** Returns the JSON text of a sample with another value in the place of one of its fields. */
function textWith(sample: unknown, [name, ...rest]: readonly string[], value: string): string {
  if (name === undefined) return value;
  const fields = Object.entries(sample as object).map(
    ([field, inner]) =>
      `${JSON.stringify(field)}:${field === name ? textWith(inner, rest, value) : JSON.stringify(inner)}`,
  );
  return `{${fields.join(",")}}`;
}

const schemaOf = (schema: z.ZodMiniType): Schema =>
  z.toJSONSchema(schema, { io: "input", unrepresentable: "any" }) as Schema;

const sim = createSimulator();
const { access } = await tokensOf(sim);
const { id: intentId = "" } = ok(await callWith(access, sim, "/api/payment-intent", { amount: 500 }));
const { sessionToken = "" } = ok(await callWith(access, sim, "/api/checkout", order()));
const ids: Readonly<Record<string, string>> = { intentId, sessionToken };

const routes: readonly AnyRoute[] = routesIn(paymentService);
const withBody = routes.flatMap((route) => (route.body === undefined ? [] : [{ ...route, body: route.body }]));

/** Sends a call with every credential that a route may want. */
async function statusOf(route: AnyRoute, query: string, type: string, body: string): Promise<number> {
  const { method, path, credential, service } = route;
  const address = path.replaceAll(/\{(\w+)\}/g, (_, name: string) => ids[name] ?? "x");
  const headers: Record<string, string> = { "x-admin-key": sim.credentials.adminKey, "content-type": type };
  if (credential !== "none") headers["authorization"] = `Bearer ${access}`;
  const base = service === "auth" ? sim.authUrl : sim.baseUrl;
  const { status } = await sim.fetch(base + address + query, {
    method,
    headers,
    ...(method === "GET" ? {} : { body }),
  });
  return status;
}

describe.each(withBody.filter(({ accepts }) => accepts?.includes("json") !== false))("$name answers", (route) => {
  const schema = schemaOf(route.body);
  const sample = sampleOf(schema);

  test("a body that is not JSON with 400, so every value below is read", async () => {
    expect(await statusOf(route, "", "application/json", "{")).toBe(400);
  });

  test.each([[], ...pathsOf(schema)].map((path) => ({ path, field: path.join(".") || "the whole body" })))(
    "any value as $field",
    async ({ path }) => {
      for (const value of values)
        for (const whole of [sample, path.reduceRight<object>((inner, name) => ({ [name]: inner }), {})]) {
          const body = textWith(whole, path, value);
          expect(await statusOf(route, "", "application/json", body), body).toBeLessThan(500);
        }
    },
  );
});

describe.each(withBody.filter(({ accepts }) => accepts?.includes("form") === true))("$name answers", (route) => {
  test.each(pathsOf(schemaOf(route.body)).flat())("any text in a form as %s", async (field) => {
    for (const value of values) {
      const body = String(new URLSearchParams({ [field]: value }));
      expect(await statusOf(route, "", "application/x-www-form-urlencoded", body)).toBeLessThan(500);
    }
  });
});

describe.each(routes.flatMap((route) => (route.query === undefined ? [] : [{ ...route, query: route.query }])))(
  "$name answers",
  (route) => {
    test.each(Object.keys(route.query.shape))("any text in its query as %s", async (field) => {
      for (const value of values)
        expect(await statusOf(route, `?${String(new URLSearchParams({ [field]: value }))}`, "", "")).toBeLessThan(500);
    });
  },
);
