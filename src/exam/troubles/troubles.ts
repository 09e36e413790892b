import type { AssumptionOverrides } from "../../service/assumption-table.ts";
import type { PointKind, Story } from "../story.ts";
import { callTroubles } from "./calls.ts";
import { crashes } from "./crashes.ts";
import { customerTroubles } from "./customers.ts";
import { eventTroubles } from "./events.ts";
import type { Trouble } from "./trouble.ts";

/** What can go wrong with a story as a whole. */
const storyTroubles: readonly Trouble[] = [
  { name: "overlap", at: "story", plan: { does: "overlap" }, sentence: () => "Deliveries, calls and answers overlap." },
  {
    name: "spaced bodies",
    at: "story",
    plan: { does: "respell" },
    sentence: () => "The service writes its events with other spaces, escapes and order of keys.",
  },
];

/** Troubles that are much like others: of those who stumble over one of them, most stumble over the other, too. */
const VARIANTS: ReadonlySet<string> = new Set([
  "request.status 429",
  "request.malformed",
  "request.refused",
  "request.latency",
  "request.hang",
  "response.truncated",
  "response.late 3s",
  "crash before",
  "webhook.answer-lost",
  "webhook.delay 3d",
  "webhook.refused",
  "webhook.slow",
  "webhook.corrupt-body",
  "webhook.wrong-secret",
  "webhook.stale-timestamp",
  "forged event without a signature",
  "event of another merchant",
  "returns a day late",
]);

/** What goes wrong most often, and what merchants meet unprepared: a short search tries it at every kind of place. */
const LIKELY: ReadonlySet<string> = new Set([
  "request.status 503",
  "response.status 504",
  "crash after",
  "webhook.drop",
  "webhook.delay",
  "webhook.new-id",
  "double click",
  "forged event",
  "overlap",
]);

/** Whether even a short search tries a trouble at every kind of place. */
export function isLikely({ name }: Trouble): boolean {
  return LIKELY.has(name);
}

/** Whether a search tries a trouble only after the others. */
export function isVariant({ name }: Trouble): boolean {
  return VARIANTS.has(name);
}

/** Everything that can go wrong, the likeliest first. */
export const troubles: readonly Trouble[] = [
  ...callTroubles,
  ...crashes,
  ...eventTroubles,
  ...customerTroubles,
  ...storyTroubles,
];

/** Returns how the service differs in a story. */
export function assumptionsOf({ troubles: placed }: Pick<Story, "troubles">): AssumptionOverrides {
  const plans = new Set(placed.map(({ point, trouble }) => troubleOf(point.kind, trouble)?.plan.does));
  return {
    ...(plans.has("overlap") ? { "webhook.order": "concurrent" } : {}),
    ...(plans.has("respell") ? { "webhook.body": "spaced" } : {}),
  };
}

/** Returns a trouble by its name and the kind of its point. */
export function troubleOf(at: PointKind, name: string): Trouble | undefined {
  return troubles.find((trouble) => trouble.at === at && trouble.name === name);
}
