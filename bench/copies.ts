import { startChild } from "./child.ts";
import type { CopyFigures } from "./copy-worlds.ts";
import { showProgress } from "./progress.ts";
import { grouped } from "./table.ts";
import type { Curve, Curves, Point } from "./table.ts";

const SIZES = [100, 1000, 10_000, 100_000, 1_000_000];
/** The cost of a fork up to which it counts as constant: beside the smallest world, whose caches it has to itself. */
const CONSTANT = { timesTheFirst: 2 };
/** Microseconds. */
const EACH_ROW = { atMost: 2 };
/** The first snapshot also writes the texts that nobody has read yet: requests without secrets, and the bodies of events. */
const EACH_ROW_WRITTEN = { atMost: 5, goal: 2 };
/** Bytes: a reference in a list, and what a payment adds. */
const SHARED = { atMost: 40 };

/** Measures what forks, snapshots and restores cost in worlds of growing size. */
export async function measureCopies(): Promise<Curves> {
  const measured: CopyFigures[] = [];
  for (const size of SIZES) {
    showProgress(`fork, snapshot, restore: ${grouped(size)} intents`);
    const child = startChild<number, CopyFigures>("copy-worlds.ts");
    measured.push(await child.ask(size));
    child.close();
  }
  const curve = (
    what: string,
    unit: Curve["unit"],
    figureOf: (figures: CopyFigures) => number | undefined,
    bound?: Curve["bound"],
  ): Curve => ({
    what,
    unit,
    points: measured.flatMap((figures, index): Point[] => {
      const value = figureOf(figures);
      return value === undefined ? [] : [[SIZES[index] as number, value]];
    }),
    ...(bound === undefined ? {} : { bound }),
  });
  return {
    of: "Copies of a world, with so many finished intents",
    curves: [
      curve("`sim.fork()`", "µs", ({ fork }) => fork, CONSTANT),
      curve("`sim.fork()` after one more payment", "µs", ({ forkAfterPayment }) => forkAfterPayment, CONSTANT),
      curve("`sim.fork()`, and one payment in it", "µs", ({ forkAndPay }) => forkAndPay, CONSTANT),
      curve(
        "The first `sim.snapshot()`, each row of a table or of the journal",
        "µs",
        ({ snapshot }) => snapshot,
        EACH_ROW_WRITTEN,
      ),
      curve("A later one, after one more payment, each row", "µs", ({ laterSnapshot }) => laterSnapshot, EACH_ROW),
      curve("Heap that a later one adds, each row", "B", ({ heapOfLater }) => heapOfLater, SHARED),
      curve("`sim.restore()` of it, each row", "µs", ({ restore }) => restore, EACH_ROW),
      curve("`sim.restore()` of a file, every field checked, each row", "µs", ({ restoreFile }) => restoreFile),
    ],
  };
}
