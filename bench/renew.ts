/** A child process that renews subscriptions, or does the bare minimum that renewals are measured against. Needs `--expose-gc`. */
import { answerParent } from "./child.ts";
import { heapInUse, microsecondsEach, microsecondsSince } from "./measure.ts";
import { watchCycles } from "./progress.ts";
import { renewalFloor } from "./renewal-floor.ts";
import { liveMonths, subscribedWorld } from "./subscribed-world.ts";
import type { SubscribedWorld } from "./subscribed-world.ts";

export interface RenewalQuestion extends SubscribedWorld {
  readonly months: number;
  /** Whether to measure the floor of so many renewals in their place. */
  readonly floor?: true;
}

/** What one finished cycle costs. */
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
  // A forced collection throws compiled code away.
  await liveMonths(await subscribedWorld({ ...options, subscriptions: WARM_UP }), 12);
  const watched = watchCycles(options);
  const start = process.cpuUsage();
  await liveMonths(sim, months, watched);
  const time = microsecondsSince(start) / cycles;
  return { time, heap: (heapInUse() - heapBefore) / cycles };
});
