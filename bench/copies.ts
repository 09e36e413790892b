import { LARGE_HEAP, startChild } from "./child.ts";
import type { CopyFigures } from "./copy-worlds.ts";
import { showProgress } from "./progress.ts";
import { grouped } from "./table.ts";
import type { Curves, Point } from "./table.ts";

const SIZES = [100, 1000, 10_000, 100_000, 1_000_000];
/**
 * A fork counts as constant while it takes at most twice as long as in the smallest world. That world fits in the processor's caches. One of a
 * million intents takes several gigabytes, so that each first look at a part of it waits for the memory: it has no bound, only its point.
 */
const CONSTANT = { timesTheFirst: 2, upTo: 100_000 };
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
    const child = startChild<number, CopyFigures>("copy-worlds.ts", [], LARGE_HEAP);
    measured.push(await child.ask(size));
    child.close();
  }
  const pointsOf = (figure: keyof CopyFigures): Point[] =>
    measured.flatMap(({ [figure]: value }, index): Point[] =>
      value === undefined ? [] : [[SIZES[index] as number, value]],
    );
  const clone = { what: "structuredClone", points: pointsOf("clone") };
  const wholeClone = {
    what: "structuredClone",
    points: pointsOf("wholeClone"),
  };
  const parse = { what: "JSON.parse alone", points: pointsOf("parse") };
  return {
    of: "Copies of a world, with so many finished intents",
    curves: [
      {
        what: "`sim.fork()`",
        unit: "µs",
        points: pointsOf("fork"),
        beside: wholeClone,
        bound: CONSTANT,
      },
      {
        what: "`sim.fork()` after one more payment",
        unit: "µs",
        points: pointsOf("forkAfterPayment"),
        beside: wholeClone,
        bound: CONSTANT,
      },
      {
        what: "`sim.fork()`, and one payment in it",
        unit: "µs",
        points: pointsOf("forkAndPay"),
        beside: wholeClone,
        bound: CONSTANT,
      },
      {
        what: "The first `sim.snapshot()`, each row of a table or of the journal",
        unit: "µs",
        points: pointsOf("snapshot"),
        beside: clone,
        bound: EACH_ROW_WRITTEN,
      },
      {
        what: "A later one, after one more payment, each row",
        unit: "µs",
        points: pointsOf("laterSnapshot"),
        beside: clone,
        bound: EACH_ROW,
      },
      {
        what: "Heap that a later one adds, each row",
        unit: "B",
        points: pointsOf("heapOfLater"),
        bound: SHARED,
      },
      {
        what: "`sim.restore()` of it, each row",
        unit: "µs",
        points: pointsOf("restore"),
        beside: clone,
        bound: EACH_ROW,
      },
      {
        what: "`sim.restore()` of a file, every field checked, each row",
        unit: "µs",
        points: pointsOf("restoreFile"),
        beside: parse,
      },
    ],
  };
}
