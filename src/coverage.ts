/** Which parts of the service a world or a suite went through. `sim.coverage()` loads this when it is first called. */
export { coverageOf } from "./report/coverage/of-simulator.ts";
export type { Coverage, Gap, PartCoverage } from "./simulator/coverage-result.ts";
export type { CoverageScope } from "./simulator/coverage-result.ts";
export type { Part } from "./simulator/coverage-result.ts";
export type { Thresholds } from "./report/coverage/thresholds.ts";
