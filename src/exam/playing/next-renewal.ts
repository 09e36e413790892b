import { OriginalDate } from "../../kit/base/runtime/dates.ts";
import type { StoryRun } from "./story-run.ts";

/** In milliseconds. */
const LONG_MONTH = 31 * 86_400_000;

/** Returns when a membership is renewed next, in milliseconds since 1970: after a long month, at the latest. */
export function nextRenewal({ sim, seen, time }: Pick<StoryRun, "sim" | "seen" | "time">, id: string): number {
  const ends = sim.subscriptions
    .list()
    .flatMap(({ id: own, currentPeriodEnd }) =>
      currentPeriodEnd !== undefined && seen.owners.get(own) === id ? [OriginalDate.parse(currentPeriodEnd)] : [],
    )
    .filter((end) => end > time.now);
  return Math.min(...ends, time.now + LONG_MONTH);
}
