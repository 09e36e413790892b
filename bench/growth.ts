import { startChild } from "./child.ts";
import type { GrowthPoint, GrowthQuestion } from "./fill-worlds.ts";
import { showProgress } from "./progress.ts";
import { bytes, grouped, markdownTable, microseconds, times } from "./table.ts";
import type { Filling } from "./world.ts";

/** The sizes to measure, and how many worlds of each. Small worlds fill too fast for a single one to be meaningful. */
const sizes: readonly (readonly [intents: number, worlds: number])[] = [
  [100, 30],
  [1000, 5],
  [10_000, 1],
  [100_000, 1],
];

const fillings: Record<Filling, string> = {
  finished: "create, confirm, read, settle",
  pending: "create, confirm, read, still processing",
  delivered: "create, confirm, read, settle, two webhooks delivered",
};

/**
 * The growth of an intent's cost up to which a figure counts as linear. It allows for caches that no longer hold a thousand times as many
 * intents, and for garbage collection among many survivors. Growth by n to the power of 1.1 or more exceeds it.
 */
const MOST_GROWTH = 2;

/** Returns the curves as a table, and how many grow faster than linearly. */
export async function measureGrowth(): Promise<{ readonly table: string; readonly broken: number }> {
  const rows: string[][] = [];
  let broken = 0;
  for (const [filling, what] of Object.entries(fillings) as [Filling, string][]) {
    const points = await pointsOf(filling);
    const add = (
      name: string,
      figureOf: (point: GrowthPoint) => number | undefined,
      write: (value: number) => string,
    ): void => {
      const values = points.flatMap((point) => figureOf(point) ?? []);
      const [first] = values;
      if (first === undefined) return;
      const growth = Math.max(...values) / first;
      if (growth > MOST_GROWTH) broken += 1;
      rows.push([name, ...values.map(write), growth > MOST_GROWTH ? `**broken:** ${times(growth)}` : times(growth)]);
    };
    add(`Time: ${what}`, ({ time }) => time, microseconds);
    add("Time: one due timer run", ({ timer }) => timer, microseconds);
    add(`Heap: ${what}`, ({ heap }) => heap, bytes);
  }
  const head = [
    "Each intent, in a world of",
    ...sizes.map(([intents]) => grouped(intents)),
    `most ÷ first, at most ${MOST_GROWTH}`,
  ];
  return { table: markdownTable(head, rows), broken };
}

async function pointsOf(filling: Filling): Promise<GrowthPoint[]> {
  const child = startChild<GrowthQuestion, GrowthPoint>("fill-worlds.ts");
  const points: GrowthPoint[] = [];
  for (const [intents, worlds] of sizes) {
    showProgress(`${filling}: ${grouped(intents)} intents`);
    points.push(await child.ask({ filling, intents, worlds }));
  }
  child.close();
  return points;
}
