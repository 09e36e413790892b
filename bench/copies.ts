import { startChild } from "./child.ts";
import type { CopyFigures } from "./copy-worlds.ts";
import { showProgress } from "./progress.ts";
import { boundInWords, grouped, keeps, markdownTable } from "./table.ts";
import type { Bound } from "./table.ts";

const SIZES = [100, 10_000, 100_000];
/** The cost of a fork up to which it counts as constant: beside the smallest world, whose caches it has to itself. */
const MOST_GROWTH: Bound = { atMost: 2 };
/** Microseconds. */
const EACH_ROW: Bound = { atMost: 2 };
/** The first snapshot also writes the texts that nobody has read yet: requests without secrets, and the bodies of events. */
const EACH_ROW_WRITTEN: Bound = { atMost: 5, goal: 2 };
/** Bytes: a reference in a list, and what a payment adds. */
const SHARED: Bound = { atMost: 40 };

/** Returns what forks, snapshots and restores cost in worlds of growing size, and how many bounds are broken. */
export async function measureCopies(): Promise<{ readonly table: string; readonly broken: number }> {
  const points: CopyFigures[] = [];
  for (const size of SIZES) {
    showProgress(`fork, snapshot, restore: ${grouped(size)} intents`);
    const child = startChild<number, CopyFigures>("copy-worlds.ts");
    points.push(await child.ask(size));
    child.close();
  }
  let broken = 0;
  const row = (
    what: string,
    figureOf: (figures: CopyFigures) => number | undefined,
    unit: string,
    bound?: Bound,
  ): string[] => {
    const values = points.map(figureOf).filter((value) => value !== undefined);
    const [smallest = 1] = values;
    // The first world of a process pays for code that is not compiled yet.
    const worst = unit === "ms" ? Math.max(...values) / smallest : Math.max(...values.slice(1));
    const kept = bound === undefined || keeps(worst, bound);
    if (!kept) broken += 1;
    const words = bound === undefined ? "" : `${boundInWords(bound)}${unit === "ms" ? "× the first" : ` ${unit}`}`;
    return [
      what,
      ...SIZES.map((_, index) => (values[index] === undefined ? "" : `${grouped(values[index], 2)} ${unit}`)),
      kept ? words : `**broken:** ${words}`,
    ];
  };
  const table = markdownTable(
    ["A world with so many finished intents", ...SIZES.map((size) => grouped(size)), "bound"],
    [
      row("`sim.fork()`", ({ fork }) => fork / 1000, "ms", MOST_GROWTH),
      row("`sim.fork()` after one more payment", ({ forkAfterPayment }) => forkAfterPayment / 1000, "ms", MOST_GROWTH),
      row("The first `sim.snapshot()`, each row", ({ snapshot }) => snapshot, "µs", EACH_ROW_WRITTEN),
      row("A later one, after one more payment", ({ laterSnapshot }) => laterSnapshot, "µs", EACH_ROW),
      row("Heap that a later one adds, each row", ({ heapOfLater }) => heapOfLater, "B", SHARED),
      row("`sim.restore()` of it, each row", ({ restore }) => restore, "µs", EACH_ROW),
      row("The same from a file, every field checked", ({ restoreFile }) => restoreFile, "µs"),
    ],
  );
  return { table, broken };
}
