import assert from "node:assert/strict";
import * as fc from "fast-check";
import { expect, test } from "vitest";
import { sharing } from "../../src/kit/engine/sharing.ts";

const SEED = 20_260_101;

const part = fc.constantFrom("a", "b", 0, -0, true, null, undefined);
const { data } = fc.letrec<{ data: unknown }>((tie) => ({
  data: fc.oneof(
    { maxDepth: 3, withCrossShrink: true },
    part,
    fc.array(tie("data"), { maxLength: 3 }),
    fc.dictionary(fc.constantFrom("a", "b", "constructor", "__proto__", "0"), tie("data"), {
      maxKeys: 3,
      noNullPrototype: true,
    }),
  ),
}));

test("data that shares with earlier data is the same, to the order of its fields, and leaves the earlier as it was", () => {
  fc.assert(
    fc.property(data, data, (given, earlier) => {
      const [given2, earlier2] = [structuredClone(given), structuredClone(earlier)];
      const shared = sharing(given, earlier);
      assert.deepStrictEqual(shared, given2);
      expect(JSON.stringify(shared)).toBe(JSON.stringify(given2));
      assert.deepStrictEqual(earlier, earlier2);
    }),
    { seed: SEED, numRuns: 5000 },
  );
});

test("equal parts are shared, and the whole when it is equal", () => {
  const earlier = { contact: { name: "Maria Santos" }, metadata: { carts: ["cart-7"] }, amount: 100 };
  expect(sharing(structuredClone(earlier), earlier)).toBe(earlier);
  const other = sharing({ ...structuredClone(earlier), amount: 200 }, earlier);
  expect(other).not.toBe(earlier);
  expect(other.contact).toBe(earlier.contact);
  expect(other.metadata).toBe(earlier.metadata);
  const reordered = sharing({ amount: 100, metadata: { carts: ["cart-7"] }, contact: {} }, earlier);
  expect(reordered.metadata).toBe(earlier.metadata);
  expect(Object.keys(reordered)).toEqual(["amount", "metadata", "contact"]);
});
