import { clockRoutes } from "./clock.ts";
import type { ControlRoute } from "./route.ts";

/** Every route of the control API. */
export const controlRoutes: readonly ControlRoute[] = [...clockRoutes];
