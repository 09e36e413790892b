/** `node scripts/run-suite.ts NAME` runs a suite of `suites.ts` up to its first failure, and ends with `N passed, N failed`. */
import { spawnSync } from "node:child_process";
import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { delimiter, join as joinPath } from "node:path";
import { reports, root, suites } from "./suites.ts";
import type { Stage } from "./suites.ts";
import { closingLine, join, readReport } from "./tally.ts";
import type { Outcomes } from "./tally.ts";

const [name = ""] = process.argv.slice(2);
const stages = suites[name];
if (stages === undefined) throw new Error(`There is no suite "${name}"; there are ${Object.keys(suites).join(", ")}.`);

const summary = joinPath(reports, `${name}.suite.json`);
mkdirSync(reports, { recursive: true });
rmSync(summary, { force: true });

const runs: Outcomes[] = [];
let failedCommand: string | undefined;
for (const stage of stages) {
  const succeeded = run(stage);
  const outcomes = stage.report === undefined ? {} : readReport(stage.report);
  runs.push(outcomes);
  if (succeeded) continue;
  failedCommand = stage.command;
  console.log(`\nFailed: ${stage.command}`);
  break;
}
const outcomes = join(runs);
// A failed test is already counted. A command that fails without one, such as the linter, counts as one failure.
const failedCommands = failedCommand === undefined || Object.values(outcomes).includes("failed") ? 0 : 1;
writeFileSync(summary, JSON.stringify({ outcomes, failedCommands }));
console.log(`\n${closingLine(outcomes, failedCommands)}`);
process.exitCode = failedCommand === undefined ? 0 : 1;

function run({ command, report, runtime }: Stage): boolean {
  // The tests start many processes from the sources, which Node then strips of types once.
  const env: NodeJS.ProcessEnv = { NODE_COMPILE_CACHE: joinPath(root, ".cache/compiled"), ...process.env };
  if (runtime !== undefined) {
    env["PATH"] = [joinPath(root, "installs/runtimes", runtime, "node_modules/.bin"), env["PATH"]].join(delimiter);
  }
  if (report !== undefined) rmSync(report, { force: true });
  const reporting =
    report === undefined ? "" : ` --reporter default --reporter json --outputFile.json ${JSON.stringify(report)}`;
  const version = spawnSync("node --version", { shell: true, env, encoding: "utf8" }).stdout.trim();
  console.log(`\n$ ${command}  (Node ${version})`);
  const start = performance.now();
  const { status } = spawnSync(command + reporting, { cwd: root, shell: true, stdio: "inherit", env });
  console.log(`${((performance.now() - start) / 1000).toFixed(1)} s`);
  return status === 0;
}
