/** Which parts of the service a world or a suite went through. `sim.coverage()` loads this when it is first called. */
export { coverageOf } from "./coverage/of-simulator.ts";
export type { Coverage, Gap, PartCoverage } from "./coverage/coverage.ts";
export type { CoverageScope } from "./coverage/scope.ts";
export type { Part } from "./coverage/happenings.ts";
export type { Thresholds } from "./coverage/thresholds.ts";
