import * as z from "zod/mini";
import { control } from "./route.ts";
import type { ControlRoute } from "./route.ts";

const now = z.object({ now: z.string() });

/** `sim.clock` */
export const clockRoutes: readonly ControlRoute[] = [
  control({
    name: "clock.now",
    summary: "Returns the virtual now",
    method: "GET",
    path: "/clock",
    data: now,
    gives: "now",
    perform: ({ sim }) => ({ now: sim.clock.now() }),
  }),
  control({
    name: "clock.advance",
    summary: "Lets time pass",
    method: "POST",
    path: "/clock/advance",
    body: z.object({ duration: z.string() }),
    data: now,
    takes: ["duration"],
    gives: "",
    perform: async ({ sim }, { body }) => {
      await sim.clock.advance(body.duration);
      return { now: sim.clock.now() };
    },
  }),
];
