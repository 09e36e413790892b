/** `node scripts/sum-suites.ts` sums the results of the suites. A suite that did not run counts as one failure. */
import { globSync, readFileSync } from "node:fs";
import { join as joinPath } from "node:path";
import { reports, suites } from "./suites.ts";
import { closingLine, join } from "./tally.ts";
import type { Summary } from "./tally.ts";

const summaries = globSync("*.suite.json", { cwd: reports }).map(
  (name) => JSON.parse(readFileSync(joinPath(reports, name), "utf8")) as Summary,
);
const ran = new Set(summaries.flatMap((summary) => summary.suites));
const missing = Object.keys(suites).filter((name) => !ran.has(name));
for (const name of missing) console.log(`The suite "${name}" did not finish.`);
const outcomes = join(summaries.map((summary) => summary.outcomes));
const failedCommands = summaries.reduce((sum, summary) => sum + summary.failedCommands, missing.length);
console.log(`\n${closingLine(outcomes, failedCommands)}`);
process.exitCode = failedCommands > 0 || Object.values(outcomes).includes("failed") ? 1 : 0;
