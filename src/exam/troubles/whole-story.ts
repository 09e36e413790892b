import type { Trouble } from "./trouble.ts";

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
    name: "spaced bodies",
    at: "story",
    assumptions: { "webhook.body": "spaced" },
    sentence: () => "The service writes its events with other spaces, escapes and order of keys.",
  },
];
