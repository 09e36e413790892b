/** A real HTTP server on a loopback port, for merchants in another process or language. */
export { serve } from "./adapters/server.ts";
export type { ServeOptions, SimulatorServer } from "./adapters/server.ts";
