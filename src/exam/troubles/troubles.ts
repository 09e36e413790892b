import { callTroubles } from "../../troubles/calls.ts";
import { eventTroubles } from "../../troubles/events.ts";
import type { PointKind } from "../../troubles/point.ts";
import { storyTroubles } from "../../troubles/whole-story.ts";
import { anotherSystem } from "./another-system.ts";
import { chosenValues } from "./chosen-values.ts";
import { crashes } from "./crashes.ts";
import { customerTroubles } from "./customers.ts";
import { forgeries } from "./forgeries.ts";
import { meetings } from "./meetings.ts";
import { moments } from "./moments.ts";
import { otherTabs } from "./other-tabs.ts";
import { programTroubles } from "./programs.ts";
import { secondTries } from "./second-tries.ts";
import type { Trouble } from "./trouble.ts";

/** Every trouble, in the order in which a search tries them. */
export const troubles: readonly Trouble[] = [
  ...callTroubles,
  ...crashes,
  ...eventTroubles,
  ...meetings,
  ...secondTries,
  ...forgeries,
  ...anotherSystem,
  ...customerTroubles,
  ...otherTabs,
  ...chosenValues,
  ...storyTroubles,
  ...programTroubles,
  ...moments,
];

export function troubleOf(at: PointKind, name: string): Trouble | undefined {
  return troubles.find((trouble) => trouble.at === at && trouble.name === name);
}
