/** Simulated tests in vitest. */
export { withSimulator } from "./testing/with-simulator.ts";
export type { SimulatorFixtures } from "./testing/with-simulator.ts";
export type { TestOptions } from "./testing/test-session.ts";
export type { NetworkKind, NetworkOptions, TestNetwork } from "./testing/test-network.ts";
