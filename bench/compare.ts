import { median } from "./measure.ts";
import { isCurves, isFigures } from "./table.ts";
import type { Measured } from "./table.ts";

/** What both commits cost, measured one after the other. */
export type Pair = readonly [ours: number, theirs: number];

export interface Comparison {
  readonly ours: number;
  readonly theirs: number;
  /** The median of ours ÷ theirs, and between which of the ratios the true one lies with 95 % certainty. */
  readonly ratio: number;
  readonly spread: readonly [least: number, most: number];
  readonly verdict: "faster" | "slower" | "no difference";
}

/** The fewest pairs whose spread can hold the true median with 95 % certainty. */
export const FEWEST_PAIRS = 6;

/**
 * Tells a difference from noise. The order of the ratios decides, not their sizes, so that a machine that stumbles once changes nothing.
 * @throws {RangeError} for fewer pairs than can tell
 */
export function comparePairs(pairs: readonly Pair[]): Comparison {
  if (pairs.length < FEWEST_PAIRS) throw new RangeError(`A comparison needs at least ${FEWEST_PAIRS} pairs.`);
  const ratios = pairs.map(([ours, theirs]) => ours / theirs).toSorted((left, right) => left - right);
  const left = leftOut(ratios.length);
  const spread = [ratios[left] as number, ratios[ratios.length - 1 - left] as number] as const;
  return {
    ours: median(pairs.map(([ours]) => ours)),
    theirs: median(pairs.map(([, theirs]) => theirs)),
    ratio: median(ratios),
    spread,
    verdict: spread[0] > 1 ? "slower" : spread[1] < 1 ? "faster" : "no difference",
  };
}

/** How many of the ratios at each end may be left out: the true median lies beyond the others with a chance of at most 5 %, as with coins. */
function leftOut(count: number): number {
  let chance = 2 * 0.5 ** count;
  let total = chance;
  let left = 0;
  while (total <= 0.05) {
    left += 1;
    chance *= (count - left + 1) / left;
    total += chance;
  }
  return left - 1;
}

/** Returns every number that a lower cost would lower, by its name. */
export function costsIn(measured: readonly Measured[]): Map<string, number> {
  return new Map(
    measured.flatMap((each): [string, number][] =>
      isCurves(each)
        ? each.curves.flatMap(({ what, points }) =>
            points.map(([size, value]): [string, number] => [`${what}, ${size}`, value]),
          )
        : isFigures(each)
          ? each.map(({ what, value }): [string, number] => [what, value])
          : each.breakdowns.flatMap(({ what, stages }) =>
              stages.map(([stage, value]): [string, number] => [`${what}: ${stage}`, value]),
            ),
    ),
  );
}
