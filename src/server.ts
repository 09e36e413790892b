/** A real HTTP server on a loopback port, for merchants in another process or language, and the inspector of simulators in this one. */
export { inspect } from "./inspected/inspect.ts";
export type { Inspection, InspectOptions } from "./inspected/inspect.ts";
export { serve } from "./server/serve.ts";
export type { ServeOptions } from "./server/serve-options.ts";
export type { SimulatorServer } from "./server/serve.ts";
export type { WorldLimits } from "./server/world-limits.ts";
