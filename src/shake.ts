/**
 * Importing this entry in a set-up file makes tests take part in `centavo shake` that call `createSimulator` themselves. Outside of a
 * shake it does nothing.
 */
export { mochaHooks } from "./testing/shake/set-up.ts";
export type { MochaHooks } from "./testing/shake/runner-hooks.ts";
