/** A child process that forks, keeps and restores worlds of growing size. Needs `--expose-gc`. */
import { createSimulator } from "centavo";
import type { Snapshot } from "centavo";
import { answerParent } from "./child.ts";
import { intentFlow, tokenOf } from "./flow.ts";
import { heapInUse, median, microsecondsSince } from "./measure.ts";
import { emptyWorld } from "./world.ts";

/** Microseconds of processor time; rows are those of tables and the entries of the journal. */
export interface CopyFigures {
  /** A fork, and a fork that is made after one more payment. */
  readonly fork: number;
  readonly forkAfterPayment: number;
  /** A fork, and one payment in it. */
  readonly forkAndPay: number;
  /** The first snapshot, and each of a chain with a payment in between, for each row. */
  readonly snapshot: number;
  readonly laterSnapshot: number;
  /** A restore of that snapshot, and of one that was read from a file, for each row. No text is long enough for the largest worlds. */
  readonly restore: number;
  readonly restoreFile?: number;
  /** What copies without any sharing cost, for each row: `structuredClone` of the snapshot, as far as it can, and `JSON.parse` of the file. */
  readonly clone?: number;
  readonly parse?: number;
  /** `structuredClone` of the whole snapshot. */
  readonly wholeClone?: number;
  /** Bytes of heap that each later snapshot of the chain adds, for each row. */
  readonly heapOfLater: number;
}

const FORKS = 50;
const CHAIN = 5;
/** Worlds that are copied before, until the code is compiled. */
const WARM_UP = 5;
/** A text of JavaScript has at most half a gigabyte. */
const MOST_ROWS_OF_A_FILE = 1_000_000;
/** A clone is as large as the world itself, and the heap has room for both up to here. */
const MOST_ROWS_OF_A_CLONE = 4_000_000;

answerParent(async (intents): Promise<CopyFigures> => {
  for (let round = 0; round < WARM_UP; round += 1) await copyWorld(100);
  return copyWorld(intents as number);
});

async function copyWorld(intents: number): Promise<CopyFigures> {
  const world = await emptyWorld("finished");
  for (let index = 0; index < intents; index += 1) await world.addIntent();
  const { sim } = world;
  const first = timed(() => sim.snapshot());
  const forks: number[] = [];
  const later: number[] = [];
  const chain: Snapshot[] = [];
  // The collector would otherwise still mark, at the expense of the forks, what the world was made of.
  heapInUse();
  for (let index = 0; index < FORKS; index += 1) forks.push(timed(() => sim.fork()).time);
  const forksAfterPayment: number[] = [];
  for (let index = 0; index < FORKS; index += 1) {
    await world.addIntent();
    forksAfterPayment.push(timed(() => sim.fork()).time);
  }
  const token = await tokenOf(sim);
  const forksThatPaid: number[] = [];
  for (let index = 0; index < FORKS; index += 1) {
    const start = process.cpuUsage();
    const fork = sim.fork();
    await intentFlow(fork.fetch, fork.baseUrl, token).run();
    forksThatPaid.push(microsecondsSince(start));
  }
  const before = heapInUse();
  for (let index = 0; index < CHAIN; index += 1) {
    await world.addIntent();
    const { result, time } = timed(() => sim.snapshot());
    chain.push(result);
    later.push(time / rowsOf(result));
  }
  const heapOfLater = (heapInUse() - before) / chain.reduce((sum, snapshot) => sum + rowsOf(snapshot), 0);
  const restores = chain.map((snapshot) => timed(() => sim.restore(snapshot)).time / rowsOf(snapshot));
  const copied = chain[0] as Snapshot;
  const rows = rowsOf(copied);
  return {
    fork: median(forks),
    forkAfterPayment: median(forksAfterPayment),
    forkAndPay: median(forksThatPaid),
    snapshot: first.time / rowsOf(first.result),
    laterSnapshot: median(later),
    restore: median(restores),
    ...(rows <= MOST_ROWS_OF_A_CLONE ? costsOfClone(copied, rows) : {}),
    ...(rows <= MOST_ROWS_OF_A_FILE ? costsOfFile(copied, rows) : {}),
    heapOfLater,
  };
}

function costsOfClone(snapshot: Snapshot, rows: number): Pick<CopyFigures, "clone" | "wholeClone"> {
  const wholeClone = medianTime(() => structuredClone(snapshot));
  return { clone: wholeClone / rows, wholeClone };
}

function costsOfFile(snapshot: Snapshot, rows: number): Pick<CopyFigures, "restoreFile" | "parse"> {
  const text = JSON.stringify(snapshot);
  const file = JSON.parse(text) as Snapshot;
  const sim = createSimulator();
  return {
    restoreFile: medianTime(() => sim.restore(file)) / rows,
    parse: medianTime(() => JSON.parse(text) as Snapshot) / rows,
  };
}

function medianTime(work: () => unknown): number {
  return median(Array.from({ length: CHAIN }, () => timed(work).time));
}

function timed<Result>(work: () => Result): { readonly result: Result; readonly time: number } {
  const start = process.cpuUsage();
  const result = work();
  return { result, time: microsecondsSince(start) };
}

function rowsOf({ world: { tables, journal } }: Snapshot): number {
  return Object.values(tables).reduce((sum, rows) => sum + rows.length, journal.length);
}
