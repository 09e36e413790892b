import { otherValues } from "./other-values.ts";
import type { Played } from "./play.ts";
import { recordedValuesIn } from "./recorded-values.ts";
import type { Search } from "./search.ts";
import { rows } from "./slots.ts";
import type { Row } from "./slots.ts";

/** A value of a row that was tried. */
interface Tried {
  readonly row: Row;
  readonly value: unknown;
  readonly weight: number;
  /** How much less differs in the exchanges that fit better under it. */
  readonly gain: number;
  /** Whether anything is different in an exchange that does not fit. */
  readonly isTouching: boolean;
}

/** Of how many values pairs are tried. */
const MOST_PAIRED = 14;

/** Tries the other values of each row that the world relied on, and takes those under which less differs; then those of two rows at once. */
export async function tryOthers(search: Search): Promise<void> {
  if (!search.isOpen) return;
  const used = new Set(search.played.used);
  const recorded = recordedValuesIn(search.played);
  const tried: Tried[] = [];
  for (const row of rows) {
    if (!used.has(row.id)) continue;
    for (const value of otherValues(row, search.valueOf(row), recorded)) {
      if (!search.hasBudget) return;
      const played = await search.try({ ...search.values, [row.id]: value });
      tried.push({ row, value, weight: played.weight, ...effectOf(played, search.played) });
      if (played.weight >= search.weight) search.noteDisagreement(row, value, played);
    }
  }
  const better = tried.filter(({ weight }) => weight < search.weight);
  for (const { row, value } of better.toSorted((left, right) => left.weight - right.weight))
    await search.takeIfBetter(row, value);
  if (better.length === 0) await tryPairs(search, tried);
}

/** Tries two values at once: one may show only under the other. */
async function tryPairs(search: Search, tried: readonly Tried[]): Promise<void> {
  const touching = tried
    .filter(({ isTouching }) => isTouching)
    .toSorted((left, right) => right.gain - left.gain)
    .slice(0, MOST_PAIRED);
  for (const [index, one] of touching.entries())
    for (const other of touching.slice(index + 1)) {
      if (one.row === other.row) continue;
      if (!search.isOpen) return;
      const values = { ...search.values, [one.row.id]: one.value, [other.row.id]: other.value };
      const played = await search.try(values);
      if (played.weight < search.weight) search.accept(values, played);
    }
}

function effectOf({ compared }: Played, now: Played): Pick<Tried, "gain" | "isTouching"> {
  let gain = 0;
  let isTouching = false;
  for (const [index, { weight, differences }] of now.compared.entries()) {
    const other = compared[index];
    if (weight === 0 || other === undefined) continue;
    gain += Math.max(0, weight - other.weight);
    isTouching ||= JSON.stringify(differences) !== JSON.stringify(other.differences);
  }
  return { gain, isTouching };
}
