import { leftOut, mustNotBeNoticed } from "./in-shake.ts";
import { LONGEST_OUTAGE } from "./trouble.ts";
import type { PlannedFault, ServiceTrouble } from "./trouble.ts";

const DROPPED: PlannedFault = { kind: "webhook.drop", event: "*" };

export const overlap: ServiceTrouble = {
  name: "overlap",
  at: "story",
  order: "likely",
  inShake: leftOut("a test decides itself what happens at the same time"),
  assumptions: { "webhook.order": "concurrent" },
  sentence: () => "Deliveries, calls and answers overlap.",
};

/** Troubles that strike a story as a whole. */
export const storyTroubles: readonly ServiceTrouble[] = [
  overlap,
  {
    name: "no events",
    at: "story",
    order: "likely",
    inShake: leftOut("one event at a time is lost"),
    fault: DROPPED,
    lasting: [DROPPED],
    sentence: () => `No event arrives, for ${LONGEST_OUTAGE} at most.`,
  },
  {
    name: "spaced bodies",
    at: "story",
    inShake: mustNotBeNoticed("unknown-events", "takes-every-event"),
    assumptions: { "webhook.body": "spaced" },
    sentence: () => "The service writes its events with other spaces, escapes and order of keys.",
  },
];
