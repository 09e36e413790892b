import { LARGE_HEAP, startChild } from "./child.ts";
import type { GrowthPoint, GrowthQuestion } from "./fill-worlds.ts";
import { showProgress } from "./progress.ts";
import { grouped } from "./table.ts";
import type { Curve, Curves, Point } from "./table.ts";
import type { Filling } from "./world.ts";

/** The sizes to measure, and how many worlds of each. Small worlds fill too fast for a single one to be meaningful. */
const sizes: readonly (readonly [intents: number, worlds: number])[] = [
  [100, 30],
  [1000, 5],
  [10_000, 1],
  [100_000, 1],
  [1_000_000, 1],
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

/** Measures the curves, which have to be flat. */
export async function measureGrowth(): Promise<Curves> {
  const curves: Curve[] = [];
  for (const [filling, what] of Object.entries(fillings) as [Filling, string][]) {
    const points = await fill(filling);
    const pointsOf = (figureOf: (point: GrowthPoint) => number | undefined): Point[] =>
      points.flatMap((point, index): Point[] => {
        const value = figureOf(point);
        return value === undefined ? [] : [[sizes[index]?.[0] ?? 0, value]];
      });
    const bound = { timesTheFirst: MOST_GROWTH };
    const timers = pointsOf(({ timer }) => timer);
    const bare = { what: "its calls, to static answers", points: pointsOf((point) => point.bare) };
    const text = { what: "the same as text", points: pointsOf((point) => point.text) };
    curves.push(
      { what: `Time: ${what}`, unit: "µs", points: pointsOf(({ time }) => time), beside: bare, bound },
      ...(timers.length === 0 ? [] : [{ what: "Time: one due timer run", unit: "µs", points: timers, bound } as const]),
      { what: `Heap: ${what}`, unit: "B", points: pointsOf(({ heap }) => heap), beside: text, bound },
    );
  }
  return { of: "Each intent, in a world of", curves };
}

async function fill(filling: Filling): Promise<GrowthPoint[]> {
  const child = startChild<GrowthQuestion, GrowthPoint>("fill-worlds.ts", [], LARGE_HEAP);
  const points: GrowthPoint[] = [];
  for (const [intents, worlds] of sizes) {
    showProgress(`${filling}: ${grouped(intents)} intents`);
    points.push(await child.ask({ filling, intents, worlds }));
  }
  child.close();
  return points;
}
