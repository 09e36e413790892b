import { bugsOfCalendars } from "./bugs-of-calendars.ts";
import { bugsOfCalls } from "./bugs-of-calls.ts";
import { bugsOfEvents } from "./bugs-of-events.ts";
import { bugsOfFlows } from "./bugs-of-flows.ts";
import { bugsOfMemberships } from "./bugs-of-memberships.ts";
import { bugsOfOrders } from "./bugs-of-orders.ts";
import { bugsOfPromises } from "./bugs-of-promises.ts";
import { bugsOfPrograms } from "./bugs-of-programs.ts";
import { bugsOfStock } from "./bugs-of-stock.ts";
import type { PlantedBug } from "./planted-bug.ts";

/** Every planted bug, by its kind: the list of `bugs-of-orders.ts` is that of `orders`. A file of tests beside each list finds its bugs. */
export const plantedBugs: Readonly<Record<string, readonly PlantedBug[]>> = {
  calendars: bugsOfCalendars,
  calls: bugsOfCalls,
  events: bugsOfEvents,
  flows: bugsOfFlows,
  memberships: bugsOfMemberships,
  orders: bugsOfOrders,
  promises: bugsOfPromises,
  programs: bugsOfPrograms,
  stock: bugsOfStock,
};
