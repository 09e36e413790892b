/** A child process that fills worlds of growing size and measures the cost of an intent in each. */
import { createSimulator } from "centavo";
import type { Simulator } from "centavo";
import { answerParent } from "./child.ts";
import { intentFlow, recordAnswers, staticHandler, tokenOf } from "./flow.ts";
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
  /** Microseconds of the same calls to functions with static answers. */
  readonly bare: number;
  /** Bytes of the world as the text of a file ÷ intents. No text is long enough for the largest worlds. */
  readonly text?: number;
}

export interface GrowthQuestion {
  readonly filling: Filling;
  readonly intents: number;
  /** How many worlds to fill. The times are medians, and the heap is the sum of all worlds. */
  readonly worlds: number;
}

const WARM_UP_INTENTS = 400;
/** The same functions answer in a world of any size, so that more of them tell no more. */
const MOST_BARE = 10_000;
const MOST_INTENTS_OF_A_FILE = 10_000;

answerParent(async (question): Promise<GrowthPoint> => {
  const { filling, intents, worlds } = question as GrowthQuestion;
  const empty = await Promise.all(Array.from({ length: worlds }, () => emptyWorld(filling)));
  const heapBefore = heapInUse();
  // A forced collection discards compiled code.
  await warmUp(filling);
  const times: number[] = [];
  for (const world of empty) times.push(await microsecondsToFill(world, intents));
  const heap = (heapInUse() - heapBefore) / (intents * worlds);
  const [{ sim }] = empty as [World];
  const bare = await microsecondsOfStaticAnswers(sim, Math.max(WARM_UP_INTENTS, Math.min(intents, MOST_BARE)));
  const text =
    intents > MOST_INTENTS_OF_A_FILE ? {} : { text: Buffer.byteLength(JSON.stringify(sim.snapshot())) / intents };
  const figures = { time: median(times), heap, bare, ...text };
  if (filling !== "pending") return figures;
  await warmUp(filling);
  const timers: number[] = [];
  for (const world of empty) timers.push(await microsecondsToAdvance(world.sim, intents));
  return { ...figures, timer: median(timers) };
});

async function warmUp(filling: Filling): Promise<void> {
  const world = await emptyWorld(filling);
  await microsecondsToFill(world, WARM_UP_INTENTS);
  await microsecondsToAdvance(world.sim, WARM_UP_INTENTS);
}

async function microsecondsOfStaticAnswers(sim: Simulator, flows: number): Promise<number> {
  const answer = staticHandler(await recordAnswers(createSimulator()));
  const flow = intentFlow((url, init) => answer(new Request(url, init)), sim.baseUrl, await tokenOf(sim));
  return microsecondsEach(flows, () => flow.run());
}

function microsecondsToFill(world: World, intents: number): Promise<number> {
  return microsecondsEach(intents, () => world.addIntent());
}

async function microsecondsToAdvance(sim: World["sim"], timers: number): Promise<number> {
  const start = process.cpuUsage();
  await sim.clock.advance("2 days");
  return microsecondsSince(start) / timers;
}
