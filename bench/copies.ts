import { startChild } from "./child.ts";
import type { CopyFigures } from "./copy-worlds.ts";
import { showProgress } from "./progress.ts";
import { boundedCurve, flatCurve, grouped } from "./table.ts";
import type { Curves, Point } from "./table.ts";

const SIZES = [100, 1000, 10_000, 100_000];
/** The cost of a fork up to which it counts as constant: beside the smallest world, whose caches it has to itself. */
const MOST_GROWTH = 2;
/** Microseconds. */
const EACH_ROW = 2;
/** The first snapshot also writes the texts that nobody has read yet: requests without secrets, and the bodies of events. */
const EACH_ROW_WRITTEN = 5;
/** Bytes: a reference in a list, and what a payment adds. */
const SHARED = 40;

/** Measures what forks, snapshots and restores cost in worlds of growing size. */
export async function measureCopies(): Promise<Curves> {
  const measured: CopyFigures[] = [];
  for (const size of SIZES) {
    showProgress(`fork, snapshot, restore: ${grouped(size)} intents`);
    const child = startChild<number, CopyFigures>("copy-worlds.ts");
    measured.push(await child.ask(size));
    child.close();
  }
  const points = (figureOf: (figures: CopyFigures) => number | undefined): Point[] =>
    measured.flatMap((figures, index): Point[] => {
      const value = figureOf(figures);
      return value === undefined ? [] : [[SIZES[index] as number, value]];
    });
  return {
    of: "Copies of a world, with so many finished intents",
    curves: [
      flatCurve(
        "`sim.fork()`",
        "µs",
        points(({ fork }) => fork),
        MOST_GROWTH,
      ),
      flatCurve(
        "`sim.fork()` after one more payment",
        "µs",
        points(({ forkAfterPayment }) => forkAfterPayment),
        MOST_GROWTH,
      ),
      flatCurve(
        "`sim.fork()`, and one payment in it",
        "µs",
        points(({ forkAndPay }) => forkAndPay),
        MOST_GROWTH,
      ),
      boundedCurve(
        "The first `sim.snapshot()`, each row of a table or of the journal",
        "µs",
        points(({ snapshot }) => snapshot),
        EACH_ROW_WRITTEN,
      ),
      boundedCurve(
        "A later one, after one more payment, each row",
        "µs",
        points(({ laterSnapshot }) => laterSnapshot),
        EACH_ROW,
      ),
      boundedCurve(
        "Heap that a later one adds, each row",
        "B",
        points(({ heapOfLater }) => heapOfLater),
        SHARED,
      ),
      boundedCurve(
        "`sim.restore()` of it, each row",
        "µs",
        points(({ restore }) => restore),
        EACH_ROW,
      ),
      boundedCurve(
        "`sim.restore()` of a file, every field checked, each row",
        "µs",
        points(({ restoreFile }) => restoreFile),
      ),
    ],
  };
}
