/** A reporter for Jest that tells which parts of the service a suite went through. */
export { CoverageReporter, CoverageReporter as default } from "./testing/coverage/jest-reporter.ts";
export type { CoverageReporterOptions } from "./testing/coverage/watched-run.ts";
export type { Thresholds } from "./report/coverage/thresholds.ts";
