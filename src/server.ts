/** A real HTTP server on a loopback port, for merchants in another process or language. */
export { serve } from "./server/serve.ts";
export type { ServeOptions, SimulatorServer } from "./server/serve.ts";
