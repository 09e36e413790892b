/** `node scripts/sum-suites.ts` sums the results of the suites. A suite that did not run counts as one failure. */
import { existsSync, readFileSync } from "node:fs";
import { join as joinPath } from "node:path";
import { reports, suites } from "./suites.ts";
import { closingLine, join } from "./tally.ts";
import type { Outcomes } from "./tally.ts";

const results = Object.keys(suites).map((name) => {
  const path = joinPath(reports, `${name}.suite.json`);
  if (existsSync(path)) return JSON.parse(readFileSync(path, "utf8")) as { outcomes: Outcomes; failedCommands: number };
  console.log(`The suite "${name}" did not finish.`);
  return { outcomes: {}, failedCommands: 1 };
});
const outcomes = join(results.map((result) => result.outcomes));
const failedCommands = results.reduce((sum, result) => sum + result.failedCommands, 0);
console.log(`\n${closingLine(outcomes, failedCommands)}`);
process.exitCode = failedCommands > 0 || Object.values(outcomes).includes("failed") ? 1 : 0;
