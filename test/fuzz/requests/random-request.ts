import * as fc from "fast-check";
import { openApiDocument } from "../../../src/openapi.ts";
import { arbitraryOf, mutated } from "../../contract/requests.ts";
import type { Populated } from "./every-status.ts";

/** A request as plain data. */
export interface RandomRequest {
  readonly method: string;
  /** With the query. */
  readonly path: string;
  readonly part: "api" | "auth";
  readonly caller: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string | Uint8Array | undefined;
  /** The lengths of the chunks that a streamed body comes in, over and over; undefined for a body that comes whole. */
  readonly chunk?: number | undefined;
  /** Whether the operation takes an `Idempotency-Key`. */
  readonly isIdempotent: boolean;
}

const LARGEST_BODY = 1024 * 1024;
const METHODS = ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS", "QUERY"];

const document = openApiDocument();
const schemas = document.components.schemas;
const operations = Object.entries(document.paths).flatMap(([path, methods]) =>
  Object.entries(methods).map(([method, operation]) => ({ path, method: method.toUpperCase(), operation })),
);
type Operation = (typeof operations)[number];

/** Those who open an operation, by the security scheme that it names. */
const OPENED_BY: Readonly<Record<string, readonly string[]>> = {
  accessToken: ["merchant", "merchant", "merchant", "everything"],
  clientKey: ["merchant", "client key", "client key of a challenge"],
  adminKey: ["administrator", "everything"],
};

const hostileText = fc.oneof(
  fc.string({ unit: "binary", maxLength: 40 }),
  fc.constantFrom(
    "",
    "%",
    "%00",
    "..",
    "%2e%2e",
    "%E0%A4%A",
    "\u0000",
    "__proto__",
    "constructor",
    "null",
    "a".repeat(3000),
    "☃",
    "'; --",
    "<script>",
  ),
);
const hostileBody = fc.oneof(
  { weight: 3, arbitrary: fc.json({ maxDepth: 3 }) },
  { weight: 3, arbitrary: hostileText },
  { weight: 2, arbitrary: fc.uint8Array({ maxLength: 64 }) },
  {
    weight: 4,
    arbitrary: fc.constantFrom(
      "[]",
      "null",
      "0",
      "{",
      "{}",
      '{"amount":',
      "\uFEFF{}",
      '{"amount":1,"amount":2}',
      '{"amount":1e999}',
      '{"amount":-0}',
      '{"__proto__":{"amount":1},"amount":1}',
      '{"constructor":1,"toString":null}',
      '{"contact":{"__proto__":null}}',
      `${"[".repeat(5000)}${"]".repeat(5000)}`,
      `${'{"a":'.repeat(40)}1${"}".repeat(40)}`,
      `{"amount":1,"metadata":{${Array.from({ length: 60 }, (_, index) => `"k${index}":1`).join(",")}}}`,
      "a=1&a=2&action=pay&method=card",
      "action=pay&action=cancel",
      "%zz=%",
      "=&=&=",
    ),
  },
  { weight: 2, arbitrary: fc.constantFrom(LARGEST_BODY, LARGEST_BODY + 1).map((length) => " ".repeat(length)) },
);
/** Header values are Latin-1. */
const headerText = fc.string({
  unit: fc.integer({ min: 0x20, max: 0xff }).map((code) => String.fromCharCode(code)),
  maxLength: 12,
});
const contentType = fc.oneof(
  fc.constantFrom(
    "application/json",
    "application/x-www-form-urlencoded",
    "application/json; charset=latin1",
    "text/plain",
    "multipart/form-data",
    "application/problem+json",
  ),
  headerText,
);
const idempotencyKey = fc.oneof(
  { weight: 8, arbitrary: fc.constant(undefined) },
  { weight: 6, arbitrary: fc.constantFrom("key-1", "key-2") },
  { weight: 1, arbitrary: fc.oneof(fc.constantFrom("", "x".repeat(255), "x".repeat(256)), headerText) },
);
const oddHeaders = fc.dictionary(
  fc.constantFrom(
    "accept",
    "accept-language",
    "origin",
    "stripe-version",
    "api-version",
    "x-forwarded-for",
    "range",
    "if-none-match",
    "content-encoding",
  ),
  headerText,
  { maxKeys: 2 },
);

/** Any request to this world, most of them to its operations and about its resources. */
export function randomRequest({ callers, known }: Populated): fc.Arbitrary<RandomRequest> {
  const anyCaller = fc.constantFrom(...Object.keys(callers));
  return fc.oneof(
    { weight: 12, arbitrary: fc.oneof(...operations.map((operation) => requestTo(operation))) },
    { weight: 1, arbitrary: stray() },
  );

  function requestTo({ path, method, operation }: Operation): fc.Arbitrary<RandomRequest> {
    const opened = operation.security.flatMap((one) => Object.keys(one)).flatMap((scheme) => OPENED_BY[scheme] ?? []);
    const parameters = operation.parameters ?? [];
    const content = operation.requestBody?.content ?? {};
    const [type = "application/json"] = Object.keys(content);
    return fc
      .record({
        isOtherMethod: oneIn(20),
        otherMethod: fc.constantFrom(...METHODS),
        path: fc.tuple(...path.split("/").map((segment) => segmentOf(segment))),
        query: queryOf(parameters.filter((parameter) => parameter.in === "query")),
        caller:
          opened.length === 0
            ? anyCaller
            : fc.oneof({ weight: 5, arbitrary: fc.constantFrom(...opened) }, { weight: 1, arbitrary: anyCaller }),
        type: fc.oneof({ weight: 12, arbitrary: fc.constant(type) }, { weight: 1, arbitrary: contentType }),
        key: idempotencyKey,
        odd: oddHeaders,
        body: bodyOf(content, type),
        chunk: fc.option(fc.integer({ min: 1, max: 70_000 }), { freq: 5, nil: undefined }),
      })
      .map(({ key, odd, ...rest }): RandomRequest => {
        const verb = rest.isOtherMethod ? rest.otherMethod : method;
        const takesBody = verb !== "GET" && verb !== "HEAD" && rest.body !== undefined;
        return {
          method: verb,
          path: `${rest.path.join("/")}${rest.query}`,
          part: operation.servers === undefined ? "api" : "auth",
          caller: rest.caller,
          headers: Object.assign(
            {},
            odd,
            takesBody && { "content-type": rest.type },
            key !== undefined && { "idempotency-key": key },
          ),
          body: takesBody ? rest.body : undefined,
          chunk: rest.chunk,
          isIdempotent: verb === method && parameters.some(({ name }) => name === "Idempotency-Key"),
        };
      });
  }

  function segmentOf(segment: string): fc.Arbitrary<string> {
    if (!segment.startsWith("{")) return fc.constant(segment);
    const ids = known[segment.slice(1, -1)] ?? [];
    const anything = fc.oneof(
      hostileText.map((text) => encodeURIComponent(text.toWellFormed())),
      fc.constantFrom("%", "%zz", "%00", "a%2Fb"),
    );
    return fc.oneof({ weight: 15, arbitrary: fc.constantFrom(...ids) }, { weight: 1, arbitrary: anything });
  }

  function queryOf(parameters: readonly { readonly name: string; readonly schema: object }[]): fc.Arbitrary<string> {
    const fields = parameters.map(
      ({ name, schema }) =>
        [
          name,
          fc.oneof(
            {
              weight: 4,
              arbitrary: valueOf(name, arbitraryOf(schema as Record<string, unknown>, schemas).map(String)),
            },
            { weight: 1, arbitrary: hostileText },
          ),
        ] as const,
    );
    const declared = fc.record(Object.fromEntries(fields), { requiredKeys: [] });
    const hostile = fc.constantFrom(
      "",
      "?",
      "??",
      "?limit=1&limit=2",
      "?limit",
      "?%",
      "?a[b]=c",
      "?__proto__=1",
      `?status=${"x".repeat(5000)}`,
    );
    return fc.oneof(
      {
        weight: 8,
        arbitrary: declared.map((query) =>
          Object.keys(query).length === 0 ? "" : `?${String(new URLSearchParams(query as Record<string, string>))}`,
        ),
      },
      { weight: 1, arbitrary: hostile },
    );
  }

  function bodyOf(
    content: NonNullable<Operation["operation"]["requestBody"]>["content"],
    type: string,
  ): fc.Arbitrary<string | Uint8Array | undefined> {
    const schema = content[type]?.schema;
    if (schema === undefined) return fc.option(hostileBody, { freq: 4, nil: undefined });
    const valid = fc
      .tuple(arbitraryOf(schema, schemas), fc.nat(), fc.nat(9))
      .map(([body, at, how]) => (how === 0 ? body : withKnown(body, at)));
    const text = (body: unknown): string => (type === "application/json" ? JSON.stringify(body) : formOf(body));
    return fc.oneof(
      { weight: 8, arbitrary: valid.map(text) },
      { weight: 4, arbitrary: mutated(valid).map(text) },
      { weight: 3, arbitrary: hostileBody },
    );
  }

  /** Names what exists, in every field that can. */
  function withKnown(body: unknown, at: number): unknown {
    if (typeof body !== "object" || body === null || Array.isArray(body)) return body;
    return Object.fromEntries(
      Object.entries(body).map(([name, value]): [string, unknown] => {
        const names = Object.hasOwn(known, name) ? known[name] : undefined;
        return [name, names === undefined ? withKnown(value, at) : names[at % names.length]];
      }),
    );
  }

  function valueOf(name: string, otherwise: fc.Arbitrary<string>): fc.Arbitrary<string> {
    return Object.hasOwn(known, name) ? fc.constantFrom(...(known[name] ?? [])) : otherwise;
  }

  /** A request to no operation. */
  function stray(): fc.Arbitrary<RandomRequest> {
    const segment = fc.oneof(
      fc.constantFrom("api", "payment-intent", "checkout", "subscription", "oauth", "pay", "..", ""),
      hostileText.map((text) => encodeURIComponent(text.toWellFormed())),
    );
    return fc.record({
      method: fc.constantFrom(...METHODS.slice(2)),
      path: fc.array(segment, { maxLength: 5 }).map((segments) => `/${segments.join("/")}`),
      part: fc.constantFrom("api" as const, "auth" as const),
      caller: anyCaller,
      headers: oddHeaders,
      body: fc.option(hostileBody, { nil: undefined }),
      isIdempotent: fc.constant(false),
    });
  }
}

function oneIn(many: number): fc.Arbitrary<boolean> {
  return fc.nat(many - 1).map((number) => number === 0);
}

function formOf(body: unknown): string {
  const entries = Object.entries(Object(body) as object).map(([name, value]): [string, string] => [
    name,
    String(value),
  ]);
  return String(new URLSearchParams(entries));
}
