import { writeFileSync } from "node:fs";
import type { Reporter, TestCase, TestModule } from "vitest/node";
import type { Outcomes } from "./tally.ts";

/**
 * Writes what became of each test to the file that the variable `OUTCOMES` names. A test that was skipped without a reason has failed: a hook
 * that breaks skips the tests below it, and so does a condition that nobody meant.
 */
export default class OutcomesReporter implements Reporter {
  onTestRunEnd(modules: readonly TestModule[]): void {
    const outcomes: Record<string, Outcomes[string]> = {};
    for (const module of modules) {
      const tests = [...module.children.allTests()];
      if (tests.length === 0 && !module.ok()) outcomes[module.moduleId] = "failed";
      for (const [index, test] of tests.entries())
        outcomes[`${module.moduleId} ${index} ${test.fullName}`] = outcomeOf(test);
    }
    if (process.env["OUTCOMES"] !== undefined) writeFileSync(process.env["OUTCOMES"], JSON.stringify(outcomes));
    if (Object.values(outcomes).includes("failed")) process.exitCode = 1;
  }
}

function outcomeOf(test: TestCase): Outcomes[string] {
  const result = test.result();
  if (result.state !== "skipped") return result.state === "passed" ? "passed" : "failed";
  if (result.note !== undefined && result.note !== "") return "skipped";
  console.error(`Skipped without a reason, which counts as failed: ${test.module.relativeModuleId} > ${test.fullName}`);
  return "failed";
}
