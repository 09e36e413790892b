/** A child process that renews subscriptions, or does only the minimum work against which renewals are measured. Needs `--expose-gc`. */
import { answerParent } from "./child.ts";
import { heapInUse, microsecondsEach, microsecondsSince } from "./measure.ts";
import { watchCycles } from "./progress.ts";
import { renewalFloor } from "./renewal-floor.ts";
import { liveMonths, subscribedWorld } from "./subscribed-world.ts";
import type { SubscribedWorld } from "./subscribed-world.ts";

export interface RenewalQuestion extends SubscribedWorld {
  readonly months: number;
  /** Measures the minimum work of the renewals instead. */
  readonly floor?: true;
}

/** The cost of one finished cycle. */
export interface RenewalCost {
  /** Microseconds of processor time, garbage collection included. */
  readonly time: number;
  /** Bytes of live heap. */
  readonly heap: number;
}

const WARM_UP = 100;

answerParent(async (question): Promise<RenewalCost> => {
  const { months, floor, ...options } = question as RenewalQuestion;
  const cycles = options.subscriptions * months;
  if (floor === true) {
    const renew = await renewalFloor(options.delivered);
    return { time: await microsecondsEach(cycles, renew), heap: 0 };
  }
  const sim = await subscribedWorld(options);
  const heapBefore = heapInUse();
  // A forced collection discards compiled code.
  await liveMonths(await subscribedWorld({ ...options, subscriptions: WARM_UP }), 12);
  const watched = watchCycles(options);
  const start = process.cpuUsage();
  await liveMonths(sim, months, watched);
  const time = microsecondsSince(start) / cycles;
  return { time, heap: (heapInUse() - heapBefore) / cycles };
});
