/** Matchers for Jest. Importing this entry registers them. */
export { matchers } from "./testing/jest-matchers.ts";
export type { RunnerMatchers } from "./testing/matchers/runner-matchers.ts";
export type { AnyStatus } from "./testing/matchers/matchers.ts";
