import type { PointKind } from "../story.ts";
import { callTroubles } from "./calls.ts";
import { crashes } from "./crashes.ts";
import { customerTroubles } from "./customers.ts";
import { eventTroubles } from "./events.ts";
import type { Trouble } from "./trouble.ts";

/** What can go wrong with a story as a whole. */
const storyTroubles: readonly Trouble[] = [
  { name: "overlap", at: "story", plan: { does: "overlap" }, sentence: () => "Deliveries, calls and answers overlap." },
];

/** Everything that can go wrong, the likeliest first. */
export const troubles: readonly Trouble[] = [
  ...callTroubles,
  ...crashes,
  ...eventTroubles,
  ...customerTroubles,
  ...storyTroubles,
];

/** Returns a trouble by its name and the kind of its point. */
export function troubleOf(at: PointKind, name: string): Trouble | undefined {
  return troubles.find((trouble) => trouble.at === at && trouble.name === name);
}
