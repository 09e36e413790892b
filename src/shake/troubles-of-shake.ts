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

/** What shows something new at a call that only reads: it can be repeated, whatever became of it. */
const AT_READS: ReadonlySet<string> = new Set([
  "request.status 503",
  "request.status 429",
  "request.status 401",
  "response.truncated",
  "response.other-value",
]);

export function fits(trouble: ServiceTrouble, point: Point): boolean {
  if (trouble.at !== point.kind || trouble.fits?.(point) === false) return false;
  return !isReading(point.subject) || point.kind !== "call" || AT_READS.has(trouble.name);
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

/** The kind of what nobody makes unless blind spots are asked for. */
export const BLIND_SPOTS = "blind-spots";

/** The kinds of trouble that a user may choose, each with the names of its troubles. */
const KINDS: Readonly<Record<string, RegExp>> = {
  "lost-answers": /^response\.(?:lost|status|truncated)|^request\.malformed/,
  "slow-answers": /^response\.late|^request\.latency/,
  "refused-calls": /^request\.(?:status|reset|refused)/,
  "hanging-calls": /^(?:request|response)\.hang/,
  outages: /^outage/,
  declines: /^processor\.(?:decline|unavailable)/,
  "late-decisions": /^processor\.late/,
  tokens: /tokens/,
  "events-twice": /^webhook\.(?:duplicate|new-id|answer-lost|slow)|^twice/,
  "late-events": /^webhook\.(?:delay|reorder|refused)/,
  "lost-events": /^webhook\.drop/,
  "unknown-events": /^webhook\.(?:extra|unknown)|^spaced/,
  [BLIND_SPOTS]: /other-(?:object|value)$/,
  "forged-events": /^webhook\.(?:corrupt|wrong|stale)/,
};

export const kindsOfTrouble: readonly string[] = Object.keys(KINDS);

export function kindOf({ name }: ServiceTrouble): string {
  return Object.entries(KINDS).find(([, names]) => names.test(name))?.[0] ?? "";
}
