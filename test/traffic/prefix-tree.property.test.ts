import * as fc from "fast-check";
import { expect, test } from "vitest";
import { PrefixTree } from "../../src/traffic/prefix-tree.ts";
import { halfOf } from "../half-of.ts";

const { numRuns, seed } = halfOf({ numRuns: 1000, seed: 16 });
/** Of two letters, so that they often begin alike. */
const word = fc.string({ unit: fc.constantFrom("a", "b"), minLength: 1, maxLength: 12 });

test("the tree finds the longest of its texts that stands at a place, as a search through all of them does", () => {
  fc.assert(
    fc.property(
      fc.uniqueArray(word, { maxLength: 12 }),
      fc.string({ unit: fc.constantFrom("a", "b"), maxLength: 30 }),
      fc.integer({ min: 0, max: 4 }),
      (words, text, shortest) => {
        const tree = new PrefixTree();
        for (const each of words) tree.add(each, `<${each}>`);
        for (let start = 0; start <= text.length; start += 1) {
          const [longest] = words
            .filter((each) => each.length > shortest && text.startsWith(each, start))
            .toSorted((left, right) => right.length - left.length);
          expect(tree.findAt(text, start, (length) => length > shortest)).toEqual(
            longest === undefined ? undefined : { length: longest.length, value: `<${longest}>` },
          );
        }
      },
    ),
    { numRuns, seed },
  );
});

test("128 characters of a longer text count as all of it", () => {
  const tree = new PrefixTree();
  tree.add("x".repeat(200), "first");
  tree.add(`${"x".repeat(200)}${"y".repeat(200)}`, "second");
  const at = (text: string) => tree.findAt(text, 0, () => true);
  expect(at("x".repeat(127))).toBeUndefined();
  expect(at(`${"x".repeat(128)}-`)).toEqual({ length: 128, value: "first" });
  expect(at(`${"x".repeat(200)}${"y".repeat(127)}`)).toEqual({ length: 200, value: "first" });
  expect(at(`${"x".repeat(200)}${"y".repeat(128)}`)).toEqual({ length: 328, value: "second" });
});
