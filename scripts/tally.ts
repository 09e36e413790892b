import { existsSync, readFileSync } from "node:fs";
import * as z from "zod/mini";

/** The outcome of each test, by its file and title. */
export type Outcomes = Readonly<Record<string, "passed" | "failed" | "skipped">>;

const vitestReport = z.object({
  testResults: z.array(
    z.object({
      name: z.string(),
      status: z.string(),
      assertionResults: z.array(z.object({ fullName: z.string(), status: z.string() })),
    }),
  ),
});

/** Reads vitest's report. A file that could not be loaded counts as one failed test. */
export function readReport(path: string): Outcomes {
  if (!existsSync(path)) return {};
  const { testResults } = vitestReport.parse(JSON.parse(readFileSync(path, "utf8")));
  return Object.fromEntries(
    testResults.flatMap(({ name, status, assertionResults }) =>
      status === "failed" && assertionResults.length === 0
        ? [[name, "failed"]]
        : assertionResults.map((result, index) => [`${name} ${index} ${result.fullName}`, outcomeOf(result.status)]),
    ),
  );
}

/**
 * Joins runs of the same tests, such as on several versions of Node. Each test counts once: as failed if it failed in any run, and as
 * skipped if it was skipped in all of them.
 */
export function join(runs: readonly Outcomes[]): Outcomes {
  const joined: Record<string, Outcomes[string]> = {};
  for (const run of runs)
    for (const [test, outcome] of Object.entries(run)) {
      const before = joined[test] ?? "skipped";
      joined[test] = before === "failed" || outcome === "skipped" ? before : outcome;
    }
  return joined;
}

/** Returns the last line of a run: `1234 passed, 0 failed, 3 skipped`. */
export function closingLine(outcomes: Outcomes, failedCommands: number): string {
  const count = { passed: 0, failed: failedCommands, skipped: 0 };
  for (const outcome of Object.values(outcomes)) count[outcome] += 1;
  const skipped = count.skipped === 0 ? "" : `, ${count.skipped} skipped`;
  return `${count.passed} passed, ${count.failed} failed${skipped}`;
}

function outcomeOf(status: string): Outcomes[string] {
  return status === "passed" || status === "failed" ? status : "skipped";
}
