import { LONGEST_OUTAGE } from "./trouble.ts";
import type { PlannedFault, Trouble } from "./trouble.ts";

const DROPPED: PlannedFault = { kind: "webhook.drop", event: "*" };

export const overlap: Trouble = {
  name: "overlap",
  at: "story",
  order: "likely",
  assumptions: { "webhook.order": "concurrent" },
  sentence: () => "Deliveries, calls and answers overlap.",
};

/** Troubles that strike a story as a whole. */
export const storyTroubles: readonly Trouble[] = [
  overlap,
  {
    name: "no events",
    at: "story",
    order: "likely",
    fault: DROPPED,
    lasting: [DROPPED],
    sentence: () => `No event arrives, for ${LONGEST_OUTAGE} at most.`,
  },
  {
    name: "spaced bodies",
    at: "story",
    assumptions: { "webhook.body": "spaced" },
    sentence: () => "The service writes its events with other spaces, escapes and order of keys.",
  },
];
