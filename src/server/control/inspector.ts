import * as z from "zod/mini";
import { control } from "./route.ts";
import type { ControlRoute } from "./route.ts";

/** What a script asks of the inspector. */
export const inspectorRoutes: readonly ControlRoute[] = [
  control({
    name: "inspector.open",
    summary: "Makes an address of the server's inspector, which lets one browser in within ten minutes of real time",
    method: "POST",
    path: "/inspector",
    whenFull: true,
    whenOwned: true,
    data: z.object({ url: z.string() }),
    creates: true,
    perform: ({ inspectorUrl }) => ({ url: inspectorUrl() }),
  }),
];
