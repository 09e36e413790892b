import type { PointKind } from "../story.ts";
import { anotherSystem } from "./another-system.ts";
import { callTroubles } from "./calls.ts";
import { chosenValues } from "./chosen-values.ts";
import { crashes } from "./crashes.ts";
import { customerTroubles } from "./customers.ts";
import { eventTroubles } from "./events.ts";
import { forgeries } from "./forgeries.ts";
import { moments } from "./moments.ts";
import { otherTabs } from "./other-tabs.ts";
import { programTroubles } from "./programs.ts";
import { secondTries } from "./second-tries.ts";
import type { Trouble } from "./trouble.ts";
import { storyTroubles } from "./whole-story.ts";

/** Every trouble, in the order in which a search tries them. */
export const troubles: readonly Trouble[] = [
  ...callTroubles,
  ...crashes,
  ...eventTroubles,
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
