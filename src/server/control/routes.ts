import { once } from "../../kit/base/runtime/once.ts";
import { createSimulator } from "../../report/create-simulator.ts";
import { checkOwner } from "../inspector/about-worlds.ts";
import { withinRoom } from "../room.ts";
import { clockRoutes } from "./clock.ts";
import { customerRoutes } from "./customer.ts";
import { faultRoutes } from "./faults.ts";
import { fixtureRoutes } from "./fixtures.ts";
import { inspectorRoutes } from "./inspector.ts";
import { journalRoutes } from "./journal.ts";
import { documentRoute } from "./openapi.ts";
import { paymentRoutes } from "./payments.ts";
import { readerNames, readerRoutes } from "./readers.ts";
import { mayAddRows, mayChange } from "./route.ts";
import type { ControlRoute } from "./route.ts";
import { runRoutes } from "./run.ts";
import { webhookRoutes } from "./webhooks.ts";
import { ownWorldRoutes } from "./worlds.ts";

/** Every route of the control API. Its readers are those of a simulator, so the first call opens one. */
export const controlRoutes: () => readonly ControlRoute[] = once(() =>
  [
    ...paymentRoutes,
    ...clockRoutes,
    ...customerRoutes,
    ...readerRoutes(readerNames(createSimulator())),
    ...webhookRoutes,
    ...faultRoutes,
    ...fixtureRoutes,
    ...journalRoutes,
    ...runRoutes,
    ...ownWorldRoutes,
    ...inspectorRoutes,
    documentRoute(controlRoutes),
  ].map((route) => owned(limited(route))),
);

/** Keeps a route from filling its world beyond the limit of its server. */
function limited(route: ControlRoute): ControlRoute {
  if (!mayAddRows(route)) return route;
  return {
    ...route,
    perform: (ground, call) => withinRoom(ground, ground.worlds.mostRows, () => route.perform(ground, call)),
  };
}

/** Keeps a route from changing a world that its test owns. */
function owned(route: ControlRoute): ControlRoute {
  if (!mayChange(route)) return route;
  return {
    ...route,
    perform: (ground, call) => {
      checkOwner(ground.sim);
      return route.perform(ground, call);
    },
  };
}
