/** A child process that creates and resets simulators, and measures the heap of each part of a world. Needs `--expose-gc`. */
import { createSimulator } from "centavo";
import type { Simulator, Snapshot } from "centavo";
import { answerParent } from "./child.ts";
import { heapInUse, median, medianMilliseconds } from "./measure.ts";
import { worldOf } from "./world.ts";

/** Median milliseconds after a warm-up. */
export interface WorldFigures {
  readonly create: number;
  readonly resetEmpty: number;
  readonly resetThousand: number;
  readonly weights: WorldWeights;
}

/** Bytes of heap per paid intent with two delivered events, by part of the world. */
export interface WorldWeights {
  readonly rows: number;
  readonly journal: number;
  readonly webhooks: number;
}

const ROUNDS = 15;
const WEIGHED_INTENTS = 5000;

answerParent(async (): Promise<WorldFigures> => {
  medianMilliseconds(ROUNDS, 40, () => createSimulator());
  const create = medianMilliseconds(ROUNDS, 20, () => createSimulator());
  const thousand = await worldOf("finished", 1000);
  const empty = createSimulator();
  medianMilliseconds(ROUNDS, 40, () => empty.reset());
  return {
    create,
    resetEmpty: medianMilliseconds(ROUNDS, 20, () => empty.reset()),
    resetThousand: median(Array.from({ length: ROUNDS }, () => millisecondsToReset(thousand.fork()))),
    weights: await weigh(),
  };
});

function millisecondsToReset(sim: Simulator): number {
  const start = performance.now();
  sim.reset();
  return performance.now() - start;
}

/** Restores a world with and without each of its parts. The difference is the heap of that part. */
async function weigh(): Promise<WorldWeights> {
  const { world } = (await worldOf("delivered", WEIGHED_INTENTS)).snapshot();
  const isWebhook = (table: string): boolean => table.startsWith("webhook-");
  const without = (dropped: (table: string) => boolean): Snapshot["world"]["tables"] =>
    Object.fromEntries(Object.entries(world.tables).map(([name, rows]) => [name, dropped(name) ? [] : rows]));
  const sim = createSimulator();
  const weightOf = (part: Partial<Snapshot["world"]>): number => {
    // `restore` refuses a world without all of its parts.
    sim.internals.parts.engine.goBackTo(structuredClone({ ...world, ...part }));
    return heapInUse();
  };
  weightOf({});
  const whole = weightOf({});
  const perIntent = (part: Partial<Snapshot["world"]>): number => (whole - weightOf(part)) / WEIGHED_INTENTS;
  return {
    rows: perIntent({ tables: without((table) => !isWebhook(table)) }),
    journal: perIntent({ journal: [] }),
    webhooks: perIntent({ tables: without(isWebhook) }),
  };
}
