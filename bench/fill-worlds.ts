/** A child process that fills worlds of growing size and measures the cost of an intent in each. */
import { answerParent } from "./child.ts";
import { heapInUse, median, microsecondsEach, microsecondsSince } from "./measure.ts";
import { emptyWorld } from "./world.ts";
import type { Filling, World } from "./world.ts";

/** The cost of an intent in a world of this size. */
export interface GrowthPoint {
  /** Microseconds of processor time, garbage collection included: the time to fill the world ÷ its intents. */
  readonly time: number;
  /** Microseconds to run one due timer, if the world was filled with pending intents. */
  readonly timer?: number;
  /** Bytes of live heap ÷ intents. */
  readonly heap: number;
}

export interface GrowthQuestion {
  readonly filling: Filling;
  readonly intents: number;
  /** How many worlds to fill. The times are medians, and the heap is the sum of all worlds. */
  readonly worlds: number;
}

const WARM_UP_INTENTS = 400;

answerParent(async (question): Promise<GrowthPoint> => {
  const { filling, intents, worlds } = question as GrowthQuestion;
  const empty = await Promise.all(Array.from({ length: worlds }, () => emptyWorld(filling)));
  const heapBefore = heapInUse();
  // A forced collection discards compiled code.
  await warmUp(filling);
  const times: number[] = [];
  for (const world of empty) times.push(await microsecondsToFill(world, intents));
  const heap = (heapInUse() - heapBefore) / (intents * worlds);
  if (filling !== "pending") return { time: median(times), heap };
  await warmUp(filling);
  const timers: number[] = [];
  for (const { sim } of empty) timers.push(await microsecondsToAdvance(sim, intents));
  return { time: median(times), heap, timer: median(timers) };
});

async function warmUp(filling: Filling): Promise<void> {
  const world = await emptyWorld(filling);
  await microsecondsToFill(world, WARM_UP_INTENTS);
  await microsecondsToAdvance(world.sim, WARM_UP_INTENTS);
}

function microsecondsToFill(world: World, intents: number): Promise<number> {
  return microsecondsEach(intents, () => world.addIntent());
}

async function microsecondsToAdvance(sim: World["sim"], timers: number): Promise<number> {
  const start = process.cpuUsage();
  await sim.clock.advance("2 days");
  return microsecondsSince(start) / timers;
}
