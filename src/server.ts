/** A real HTTP server on a loopback port, for merchants that run in another process or another language. */
export { serve } from "./adapters/server.ts";
export type { ServeOptions, SimulatorServer } from "./adapters/server.ts";
