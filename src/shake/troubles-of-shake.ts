import { callTroubles } from "../troubles/calls.ts";
import { eventTroubles } from "../troubles/events.ts";
import { processorTroubles } from "../troubles/processor.ts";
import { onlyInShake } from "../troubles/only-in-shake.ts";
import { isCharging, isReading, isWriting } from "../troubles/routes.ts";
import type { Point } from "../troubles/point.ts";
import type { ServiceTrouble } from "../troubles/trouble.ts";
import { storyTroubles } from "../troubles/whole-story.ts";

/** Every trouble that a shake may make. */
export const troublesOfShake: readonly ServiceTrouble[] = [
  ...callTroubles,
  ...eventTroubles,
  ...processorTroubles,
  ...storyTroubles,
  ...onlyInShake,
].filter(({ inShake }) => inShake.is !== "left out");

export function fits(trouble: ServiceTrouble, point: Point): boolean {
  if (trouble.at !== point.kind || trouble.fits?.(point) === false) return false;
  return !isReading(point.subject) || point.kind !== "call" || trouble.strikesReads === true;
}

/** The likeliest and dearest come first. */
export function rankOf(trouble: ServiceTrouble, { subject }: Point): number {
  const { name, inShake } = trouble;
  if (inShake.is === "must be noticed") return 6;
  if (name === "response.lost") return isCharging(subject) ? 0 : isWriting(subject) ? 0.5 : 4;
  if (name === "webhook.duplicate" || name === "twice at once") return 1;
  // Where nothing is charged, it shows what the test itself counts on. Judging the others needs that.
  if (name === "response.late 3s") return isCharging(subject) ? 2 : 1.5;
  return { likely: 3, usual: 4, variant: 5 }[trouble.order ?? "usual"];
}

/** Returns the kind by which a user chooses a trouble, and an empty text for one that a shake leaves out. */
export function kindOf({ inShake }: ServiceTrouble): string {
  return inShake.is === "left out" ? "" : inShake.kind;
}
