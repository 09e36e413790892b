import { expect, test } from "vitest";
import { comparePairs, costsIn } from "../../bench/compare.ts";
import type { Pair } from "../../bench/compare.ts";

/** Pairs in which theirs always costs 100. */
function pairsOf(...ours: readonly number[]): Pair[] {
  return ours.map((cost) => [cost, 100]);
}

test("a commit that costs more in every pair is slower", () => {
  const comparison = comparePairs(pairsOf(103, 104, 105, 105, 106, 107));
  expect(comparison).toEqual({ ours: 105, theirs: 100, ratio: 1.05, spread: [1.03, 1.07], verdict: "slower" });
});

test("a commit that costs less in every pair is faster", () => {
  expect(comparePairs(pairsOf(80, 81, 82, 83, 84, 85)).verdict).toBe("faster");
});

test("costs that lie on both sides are no difference, however far the median is off", () => {
  expect(comparePairs(pairsOf(98, 99, 120, 130, 140, 150, 160, 99)).verdict).toBe("no difference");
});

test("one stumble of the machine among nine pairs changes nothing", () => {
  const { verdict, spread } = comparePairs(pairsOf(50, 104, 105, 106, 107, 108, 109, 110, 900));
  expect(verdict).toBe("slower");
  expect(spread).toEqual([1.04, 1.1]);
});

// The counts of the table of the sign test, two-sided, at 5 %.
test.for([
  [6, 0],
  [8, 0],
  [9, 1],
  [11, 1],
  [12, 2],
  [15, 3],
  [20, 5],
  [25, 7],
])("among %i pairs, %i at each end may be chance", ([count = 0, chance = 0]) => {
  const ratios = Array.from({ length: count }, (_, index) => 101 + index);
  const { spread } = comparePairs(pairsOf(...ratios));
  expect(spread).toEqual([(101 + chance) / 100, (100 + count - chance) / 100]);
});

test("fewer than six pairs tell nothing, because coins fall alike that often", () => {
  expect(() => comparePairs(pairsOf(200, 200, 200, 200, 200))).toThrow("A comparison needs at least 6 pairs.");
});

test("every figure is compared, and every point of a curve", () => {
  const points = [
    [100, 0.5],
    [1000, 0.6],
  ] as const;
  const costs = costsIn([
    [{ what: "an import", unit: "ms", value: 90.1 }],
    { of: "Rows", curves: [{ what: "a list", unit: "ms", points }] },
  ]);
  expect([...costs]).toEqual([
    ["an import", 90.1],
    ["a list, 100", 0.5],
    ["a list, 1000", 0.6],
  ]);
});
