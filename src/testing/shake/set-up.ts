import { WATCH } from "../../report/watched-simulator.ts";
import { runOfProcess } from "./run-folder.ts";
import { followRunner } from "./runner-hooks.ts";
import type { MochaHooks } from "./runner-hooks.ts";
import { WatchedTests } from "./watched-tests.ts";

/** Root hooks, which Mocha takes from the modules that it requires. Outside of a shake there are none. */
export const mochaHooks: Partial<MochaHooks> = follow();

function follow(): Partial<MochaHooks> {
  const run = runOfProcess();
  if (run === undefined) return {};
  const tests = new WatchedTests(run);
  Reflect.set(globalThis, WATCH, tests);
  return followRunner(tests);
}
