import { nameOfPoint } from "./story.ts";
import type { Flow, PlacedTrouble, Point, Story } from "./story.ts";
import { troubles } from "./troubles/troubles.ts";
import type { Trouble } from "./troubles/trouble.ts";

/** A flow, and the points that it passed when nothing went wrong. */
export interface LearnedFlow {
  readonly flow: Flow;
  readonly points: readonly Point[];
}

/**
 * Returns every story with one trouble. Each kind of trouble comes first at each kind of place, in the simplest flow that passes it; then
 * each comes in the next flow, and so on. So a short search has tried everything once.
 */
export function singleTroubles(learned: readonly LearnedFlow[], hasAct: (act: string) => boolean): Story[] {
  const rounds: Story[][] = [];
  const met = new Map<string, number>();
  for (const { flow, points } of learned) {
    for (const trouble of troubles) {
      if (trouble.plan.does === "act" && !hasAct(trouble.plan.act)) continue;
      for (const point of points) {
        if (point.kind !== trouble.at || trouble.fits?.(point) === false) continue;
        const kind = `${trouble.name} at ${point.kind} ${point.subject}`;
        const round = met.get(kind) ?? 0;
        met.set(kind, round + 1);
        (rounds[round] ??= []).push({
          flow,
          troubles: [{ point, trouble: trouble.name }],
          ...scheduleOf(trouble, round),
        });
      }
    }
  }
  return rounds.flat();
}

/** Overlapping deliveries are tried in another order each time. */
function scheduleOf({ plan }: Trouble, round: number): Pick<Story, "schedule"> {
  return plan.does === "overlap" ? { schedule: round + 1 } : {};
}

/** Returns a name that tells a story from all others. */
export function nameOfStory({ flow, troubles: placed, schedule }: Story): string {
  return JSON.stringify([
    flow.name,
    placed.map(({ point, trouble }: PlacedTrouble) => [nameOfPoint(point), trouble]),
    schedule ?? null,
  ]);
}
