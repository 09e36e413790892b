import * as z from "zod/mini";
import { CentavoError } from "../../kit/base/errors/centavo-error.ts";
import type { Snapshot } from "../../simulator/snapshot.ts";
import { nameOf, viewOf, worldView } from "../world-routes.ts";
import { anObject, asIs } from "./as-is.ts";
import { control } from "./route.ts";
import type { ControlRoute } from "./route.ts";

const snapshot = {
  ...anObject,
  required: ["version", "world", "digest"],
  properties: { version: { type: "integer" }, world: anObject, digest: { type: "string" } },
};
const choice = asIs<boolean>({ type: "boolean" });

/** `sim.snapshot`, `restore`, `fork`, `reset` and `close` */
export const ownWorldRoutes: readonly ControlRoute[] = [
  control({
    name: "snapshot",
    summary: "Returns the world as JSON",
    method: "GET",
    path: "/snapshot",
    data: asIs<Snapshot>(snapshot),
    members: { snapshot: {} },
    perform: ({ sim }) => sim.snapshot(),
  }),
  control({
    name: "restore",
    summary: "Replaces the world by that of a snapshot",
    method: "POST",
    path: "/restore",
    whenFull: true,
    body: z.object({ snapshot: asIs<Snapshot>(snapshot), edited: z.exactOptional(choice) }),
    members: { restore: { takes: ["snapshot"] } },
    perform: ({ sim }, { body: { snapshot: taken, ...options } }) => sim.restore(taken, options),
  }),
  control({
    name: "reset",
    summary: "Replaces the world by the one just after its beginning",
    method: "POST",
    path: "/reset",
    whenFull: true,
    body: z.object({ keepTokens: z.exactOptional(choice) }),
    members: { reset: {} },
    perform: ({ sim }, { body }) => sim.reset(body),
  }),
  control({
    name: "fork",
    summary: "Opens a named world with a copy of this one",
    method: "POST",
    path: "/fork",
    whenOwned: true,
    body: z.object({ name: z.exactOptional(z.string()), connect: z.exactOptional(choice) }),
    data: worldView,
    creates: true,
    members: { fork: {} },
    perform: ({ worlds, ...original }, { body: { name, ...options } }) =>
      viewOf(worlds.fork(original, name === undefined ? undefined : nameOf(name), options)),
  }),
  control({
    name: "close",
    summary: "Ends the world, if it is not the default one",
    method: "POST",
    path: "/close",
    whenFull: true,
    members: { close: {} },
    perform: async ({ name, worlds }) => {
      if (name !== undefined) return worlds.end(name);
      throw new CentavoError(
        "INVALID_STATE",
        "sim.close: this is the default world of its server, and ends with it. sim.reset() takes it back to its beginning.",
      );
    },
  }),
];
