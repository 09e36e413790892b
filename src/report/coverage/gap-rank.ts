import type { Part } from "../../simulator/coverage-result.ts";

/** What hurts a merchant most when it first happens in production: money not collected, collected twice, or not booked. */
export const hurtsMost: readonly `${Part} ${string}`[] = [
  "events subscription.past_due",
  "moves subscription: past_due → active (recover)",
  "events subscription.unpaid",
  "faults webhook.duplicate",
  "faults response.lost",
  "events checkout.failed",
  "events payment_intent.failed",
  "timeRules checkout: expire",
  "timeRules payment_intent: challenge_expired",
  "timeRules webhook.retries",
  "faults webhook.reorder",
  "moves subscription: active → cancelled (cancel)",
];

/** The order of the rest: what says most about a merchant comes first. */
const THEN: readonly Part[] = ["timeRules", "states", "events", "faults", "outcomes", "errors", "moves"];

/** Returns the rank of something that was never tested. Lower ranks are reported first. */
export function gapRank(part: Part, name: string): number {
  const place = hurtsMost.indexOf(`${part} ${name}`);
  return place === -1 ? hurtsMost.length + THEN.indexOf(part) : place;
}
