import { existsSync, readFileSync } from "node:fs";

/** The outcome of each test, by its file and title. */
export type Outcomes = Readonly<Record<string, "passed" | "failed" | "skipped">>;

/** What became of the suites that ran together. */
export interface Summary {
  readonly suites: readonly string[];
  readonly outcomes: Outcomes;
  readonly failedCommands: number;
}

/** Reads what `outcomes-reporter.ts` wrote. */
export function readReport(path: string): Outcomes {
  return existsSync(path) ? (JSON.parse(readFileSync(path, "utf8")) as Outcomes) : {};
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

/** Returns the last line of a run: `1234 passed, 0 failed`. Tests that were skipped for a reason are neither. */
export function closingLine(outcomes: Outcomes, failedCommands: number): string {
  const count = { passed: 0, failed: failedCommands, skipped: 0 };
  for (const outcome of Object.values(outcomes)) count[outcome] += 1;
  return `${count.passed} passed, ${count.failed} failed`;
}
