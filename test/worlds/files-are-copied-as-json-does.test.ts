import assert from "node:assert/strict";
import { CentavoError } from "centavo";
import * as fc from "fast-check";
import { expect, test } from "vitest";
import { plainJson } from "../../src/simulator/snapshot.ts";

const SEED = 20_260_101;

function viaText(value: unknown): unknown {
  const text = JSON.stringify(value) as string | undefined;
  return text === undefined ? undefined : JSON.parse(text);
}

const copied = (value: unknown): unknown => plainJson(value, (why) => new CentavoError("INVALID_SNAPSHOT", why));

test("a copy of a value is what a journey through a file leaves of it, and shares nothing with it", () => {
  const anything = fc.anything({
    withBoxedValues: true,
    withDate: true,
    withMap: true,
    withNullPrototype: true,
    withObjectString: true,
    withSparseArray: true,
    withTypedArray: true,
    key: fc.oneof(fc.string(), fc.constantFrom("__proto__", "toJSON", "constructor", "length")),
  });
  fc.assert(
    fc.property(fc.oneof(fc.jsonValue(), anything), (value) => {
      const copy = copied(value);
      assert.deepStrictEqual(copy, viaText(value));
      if (typeof value === "object" && value !== null) expect(copy).not.toBe(value);
    }),
    { seed: SEED, numRuns: 3000 },
  );
});

test.for<[string, unknown]>([
  ["a minus before a zero", [-0]],
  ["a hole in a list", Array.of(1).concat(Array(2))],
  ["a field that is undefined", { a: undefined, b: 1 }],
  ["a function in a list", [() => 1]],
  ["an object with a toJSON of its own", { a: { toJSON: () => "b" } }],
  ["a list with a toJSON of its own", Object.assign([1], { toJSON: () => "b" })],
  ["an instance of a class", { a: new Date(0) }],
])("%s is copied as JSON writes it", ([, value]) => {
  assert.deepStrictEqual(copied(value), viaText(value));
});
