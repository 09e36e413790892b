import { keepNewest } from "../kit/engine/newest.ts";

/** How many seeds of a run are counted at most. */
const MOST_SEEDS = 10_000;

/** How often each seed was used, by run of the runner. */
const usesOf = new WeakMap<object, Map<string, number>>();
const THIS_PROCESS = {};

/**
 * Counts the uses of a seed, because the same seed gives the same ids and tokens. Returns 1 for the first.
 * @param run what the runner makes anew for each run, so that a second run in the same process counts from the start; without it, all
 *   tests of the process count
 */
export function ordinalOf(seed: string, run: object = THIS_PROCESS): number {
  const uses = usesOf.get(run) ?? new Map<string, number>();
  usesOf.set(run, uses);
  const ordinal = (uses.get(seed) ?? 0) + 1;
  // Added again, so that it is the newest.
  uses.delete(seed);
  keepNewest(uses.set(seed, ordinal), MOST_SEEDS);
  return ordinal;
}
