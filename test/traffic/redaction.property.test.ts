import * as fc from "fast-check";
import { expect, test } from "vitest";
import type { Exchange } from "../../src/traffic/exchange.ts";
import { TrafficRedaction } from "../../src/traffic/redaction.ts";
import { halfOf } from "../half-of.ts";

/** Random enough to be told from all else. */
const secret = fc.stringMatching(/^[A-Za-z][A-Za-z0-9]{5}[0-9][A-Za-z0-9_-]{10,30}$/);
const name = fc.constantFrom("access_token", "clientSecret", "api-key", "Password", "refreshToken", "webhook_secret");
const plain = fc.oneof(
  fc.stringMatching(/^[a-z]{1,12}$/),
  fc.integer({ min: 0, max: 999_999 }),
  fc.boolean(),
  fc.constant(null),
  fc.constant("2026-11-27T09:00:00.000Z"),
);

/** JSON in which the secret stands under a secret name, at any depth, among other values. */
const holding = (hidden: string) =>
  fc.letrec<{ tree: unknown }>((tie) => ({
    tree: fc.oneof(
      { maxDepth: 5 },
      fc
        .tuple(name, fc.dictionary(fc.stringMatching(/^[a-z]{1,8}$/), plain))
        .map(([key, rest]) => Object.assign(rest, { [key]: hidden })),
      fc.tuple(plain, tie("tree")).map(([first, inner]) => [first, inner]),
      fc.tuple(fc.stringMatching(/^x[a-z]{1,8}$/), tie("tree")).map(([key, inner]) => ({ [key]: inner })),
      tie("tree").map((inner) => ({ raw: JSON.stringify(inner) })),
    ),
  })).tree;

const exchangeWith = (hidden: string): fc.Arbitrary<Exchange> =>
  fc
    .record({
      tree: holding(hidden),
      asForm: fc.boolean(),
      inPath: fc.boolean(),
      header: fc.constantFrom("authorization", "cookie", "x-api-key", "x-odd", "referer"),
    })
    .map(({ tree, asForm, inPath, header }) => ({
      source: "a test",
      kind: "call",
      startedAt: "2026-11-27T09:00:00.000Z",
      request: {
        method: "POST",
        url: `https://pay.example/a${inPath ? `/${hidden}` : ""}?next=${encodeURIComponent(`https://shop.example/?token=${hidden}`)}`,
        headers: [[header, valueOf(header, hidden)]],
        body: asForm ? new URLSearchParams({ a: "1", client_secret: hidden }).toString() : JSON.stringify(tree),
      },
      answer: { status: 200, headers: [["set-cookie", `sid=${hidden}; Path=/`]], body: JSON.stringify(tree) },
    }));

function valueOf(header: string, hidden: string): string {
  if (header === "authorization") return `Bearer ${hidden}`;
  return header === "cookie" ? `a=1; b=${hidden}` : `https://u:${hidden}@shop.example`;
}

const cases = secret.chain((hidden) => fc.tuple(fc.constant(hidden), exchangeWith(hidden)));
const { numRuns, seed } = halfOf({ numRuns: 200, seed: 39 });

test("no part of a redacted exchange holds the secret, wherever it stood", () => {
  fc.assert(
    fc.property(cases, ([hidden, exchange]) => {
      const text = JSON.stringify(new TrafficRedaction().exchange(exchange));
      expect(text).not.toContain(hidden);
      expect(new Set(text.match(/redacted-[a-z]+-\d+/g)).size).toBeLessThanOrEqual(3);
    }),
    { numRuns, seed },
  );
});

test("what was redacted stays the same when it is redacted again", () => {
  fc.assert(
    fc.property(cases, ([, exchange]) => {
      const once = new TrafficRedaction().exchange(exchange);
      expect(new TrafficRedaction().exchange(once)).toEqual(once);
    }),
    { numRuns, seed },
  );
});

test("JSON keeps its shape, and every value that is no secret", () => {
  fc.assert(
    fc.property(fc.json({ maxDepth: 6 }), (text) => {
      const redacted = new TrafficRedaction().body(text);
      expect(() => JSON.parse(redacted) as unknown).not.toThrow();
      expect(shapeOf(JSON.parse(redacted))).toEqual(shapeOf(JSON.parse(text)));
    }),
    { numRuns, seed },
  );
});

test("any text is redacted without an error", () => {
  fc.assert(
    fc.property(
      fc.string({ unit: "binary", maxLength: 300 }),
      fc.webUrl({ withQueryParameters: true, withFragments: true }),
      (text, url) => {
        const redaction = new TrafficRedaction();
        for (const each of [
          text,
          `{"a":"${text}`,
          `token=${text}`,
          `<a b="${text}">${text}</a>`,
          `${url}?token=${text}`,
        ]) {
          redaction.body(each);
          redaction.url(each);
          redaction.header("cookie", each);
          redaction.header("authorization", each);
          redaction.header("x-odd", each);
        }
        expect(redaction.url(url).split(/[?#]/)[0]).toBe(url.split(/[?#]/)[0]);
      },
    ),
    { numRuns, seed },
  );
});

function shapeOf(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(shapeOf);
  if (typeof value !== "object" || value === null) return typeof value;
  return Object.entries(value).map(([key, inner]) => [key, shapeOf(inner)]);
}
