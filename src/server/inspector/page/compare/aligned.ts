import { momentOf, shortId } from "../../../../report/page/words.ts";
import type { ReportedRun, Row } from "../../../../report/reported-run.ts";

/** Two entries that say the same, or one that only one of two runs has. */
export interface Pair {
  readonly left?: Row;
  readonly right?: Row;
}

/** Two runs, side by side. */
export interface Aligned {
  /** How many entries both have in common at their beginning. */
  readonly common: number;
  /** What comes afterwards. */
  readonly pairs: readonly Pair[];
  /** How many entries of each stand between the common ones and the pairs. */
  readonly left: number;
  readonly right: number;
}

/** How many of the newest entries of each run are compared. */
const MOST_COMPARED = 300;

/** Puts the entries of two runs side by side. After what both have in common, those that say the same stand in one line. */
export function alignedRuns(one: ReportedRun, other: ReportedRun): Aligned {
  const [left, right] = [rowsIn(one), rowsIn(other)];
  let common = 0;
  while (common < Math.min(left.length, right.length) && isSame(left[common], right[common])) common += 1;
  const [ownLeft, ownRight] = [left.slice(common), right.slice(common)];
  const [newestLeft, newestRight] = [ownLeft.slice(-MOST_COMPARED), ownRight.slice(-MOST_COMPARED)];
  return {
    common,
    pairs: pairsOf(newestLeft, newestRight),
    left: ownLeft.length - newestLeft.length,
    right: ownRight.length - newestRight.length,
  };
}

/** An answer stands with its request, and what other entries already say stands nowhere. */
function rowsIn({ rows }: ReportedRun): readonly Row[] {
  return rows.filter(({ kind, isMinor }) => kind !== "answer" && isMinor !== true);
}

function isSame(left: Row | undefined, right: Row | undefined): boolean {
  return (
    left?.kind === right?.kind && left?.text === right?.text && left?.at === right?.at && left?.result === right?.result
  );
}

/** The longest sequence of entries that both have, and the others around it. */
function pairsOf(left: readonly Row[], right: readonly Row[]): readonly Pair[] {
  const width = right.length + 1;
  const lengths = new Uint16Array((left.length + 1) * width);
  for (let row = left.length - 1; row >= 0; row -= 1)
    for (let column = right.length - 1; column >= 0; column -= 1)
      lengths[row * width + column] = isSame(left[row], right[column])
        ? (lengths[(row + 1) * width + column + 1] ?? 0) + 1
        : Math.max(lengths[(row + 1) * width + column] ?? 0, lengths[row * width + column + 1] ?? 0);
  const pairs: Pair[] = [];
  let [row, column] = [0, 0];
  while (row < left.length || column < right.length) {
    const [own, others] = [left[row], right[column]];
    if (own !== undefined && others !== undefined && isSame(own, others)) {
      pairs.push({ left: own, right: others });
      row += 1;
      column += 1;
    } else if (
      others === undefined ||
      (own !== undefined && (lengths[(row + 1) * width + column] ?? 0) >= (lengths[row * width + column + 1] ?? 0))
    ) {
      if (own !== undefined) pairs.push({ left: own });
      row += 1;
    } else {
      pairs.push({ right: others });
      column += 1;
    }
  }
  return pairs;
}

/** Something that two runs say in their own way. */
export interface Difference {
  readonly what: string;
  readonly left: string;
  readonly right: string;
}

/** Returns what became of each resource and of the clock, where the two runs differ. */
export function differencesOf(one: ReportedRun, other: ReportedRun): readonly Difference[] {
  const [left, right] = [statesIn(one), statesIn(other)];
  const keys = [...new Set([...left.keys(), ...right.keys()])];
  return keys.flatMap((key) => {
    const [own, others] = [left.get(key), right.get(key)];
    const what = own?.what ?? others?.what ?? key;
    return own?.state === others?.state ? [] : [{ what, left: own?.state ?? "—", right: others?.state ?? "—" }];
  });
}

interface State {
  readonly what: string;
  readonly state: string;
}

function statesIn({ now, resources, pending, faults }: ReportedRun): ReadonlyMap<string, State> {
  const next = pending.find(({ at }) => at !== undefined);
  return new Map([
    ["now", { what: "virtual time", state: now === undefined ? "—" : momentOf(now) }],
    ["next", { what: "next", state: next?.at === undefined ? "nothing" : `${momentOf(next.at)} ${next.what}` }],
    ...resources.map(({ machine, name, id, status }) => {
      const what = [machine.replaceAll("_", " "), name, shortId(id)].filter(Boolean).join(" ");
      return [`${machine} ${id}`, { what, state: status }] as const;
    }),
    ...faults.map(
      ({ id, what, hits }) => [`fault ${id}`, { what: `fault ${id}`, state: `${what}, struck ${hits}` }] as const,
    ),
  ]);
}
