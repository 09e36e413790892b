/** Simulated tests in vitest, and its matchers, which importing this entry registers. */
export { matchers } from "./testing/vitest-matchers.ts";
export { withSimulator } from "./testing/with-simulator.ts";
export type { SimulatorFixtures } from "./testing/with-simulator.ts";
export type { ReportOption, TestOptions } from "./testing/test-options.ts";
export type { NetworkKind, NetworkOptions, TestNetwork } from "./testing/test-network.ts";
export type { RunnerMatchers } from "./testing/matchers/runner-matchers.ts";
export type { AnyStatus } from "./testing/matchers/matchers.ts";
