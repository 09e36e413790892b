import { OriginalDate } from "../../kit/base/runtime/dates.ts";
import type { StoryRun } from "./story-run.ts";

/** In milliseconds. */
const LONG_MONTH = 31 * 86_400_000;

/**
 * Returns when a membership is renewed next, in milliseconds since 1970: after a long month, at the latest. Of a member who has left, it is
 * when the membership would have been renewed.
 */
export function nextRenewal({ sim, seen, time }: Pick<StoryRun, "sim" | "seen" | "time">, id: string): number {
  const own = sim.subscriptions.list().filter((each) => seen.owners.get(each.id) === id);
  const living = own.filter(({ status }) => status !== "cancelled");
  const ends = (living.length === 0 ? own : living)
    .flatMap(({ currentPeriodEnd }) => (currentPeriodEnd === undefined ? [] : [OriginalDate.parse(currentPeriodEnd)]))
    .filter((end) => end > time.now);
  return Math.min(...ends, time.now + LONG_MONTH);
}
