/** A child process that renews a world of subscriptions and measures its heap every month. Needs `--expose-gc`. */
import { answerParent } from "./child.ts";
import { heapInUse } from "./measure.ts";
import { watchCycles } from "./progress.ts";
import { liveMonths, subscribedWorld } from "./subscribed-world.ts";
import type { SubscribedWorld } from "./subscribed-world.ts";

export interface GrowingQuestion extends SubscribedWorld {
  readonly months: number;
}

/** Answers with the bytes of live heap after each month. */
answerParent(async (question): Promise<readonly number[]> => {
  const { months, ...options } = question as GrowingQuestion;
  const sim = await subscribedWorld(options);
  const watched = watchCycles(options);
  const heaps: number[] = [];
  for (let month = 0; month < months; month += 1) {
    await liveMonths(sim, 1, watched);
    heaps.push(heapInUse());
  }
  return heaps;
});
