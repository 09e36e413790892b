/** `node scripts/run-suite.ts NAME` installs what a suite of `suites.ts` needs, runs it up to its first failure, and ends with `N passed, N failed`. */
import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { delimiter, join as joinPath } from "node:path";
import { text } from "node:stream/consumers";
import { installChromium } from "./install-chromium.ts";
import { installPackages } from "./install-packages.ts";
import { reports, root, suites } from "./suites.ts";
import type { Stage } from "./suites.ts";
import { closingLine, join, readReport } from "./tally.ts";
import type { Outcomes } from "./tally.ts";

const [name = ""] = process.argv.slice(2);
const suite = suites[name];
if (suite === undefined) throw new Error(`There is no suite "${name}"; there are ${Object.keys(suites).join(", ")}.`);

const summary = joinPath(reports, `${name}.suite.json`);
mkdirSync(reports, { recursive: true });
rmSync(summary, { force: true });

for (const folder of suite.installs) installPackages(folder, `the suite "${name}"`);
if (suite.chromium) installChromium(name);

const runs: Outcomes[] = [];
let failed: readonly Stage[] = [];
for (const stage of suite.stages) {
  const atOnce = [stage].flat();
  const succeeded = await Promise.all(atOnce.map((each) => run(each, atOnce.length === 1)));
  for (const { report } of atOnce) if (report !== undefined) runs.push(readReport(report));
  failed = atOnce.filter((_each, index) => succeeded[index] === false);
  for (const { command } of failed) console.log(`\nFailed: ${command}`);
  if (failed.length > 0) break;
}
const outcomes = join(runs);
// A failed test is already counted. A command that fails without one, such as the linter, counts as one failure.
const failedTests = Object.values(outcomes).includes("failed");
const failedCommands = failed.filter(({ report }) => report === undefined || !failedTests).length;
writeFileSync(summary, JSON.stringify({ outcomes, failedCommands }));
console.log(`\n${closingLine(outcomes, failedCommands)}`);
process.exitCode = failed.length === 0 ? 0 : 1;

/** Runs a command. Alone it prints as it goes; beside others it prints what it has to say when it ends. */
async function run({ command, report, runtime }: Stage, alone: boolean): Promise<boolean> {
  // The tests start many processes from the sources, which Node then strips of types once.
  const env: NodeJS.ProcessEnv = { NODE_COMPILE_CACHE: joinPath(root, ".cache/compiled"), ...process.env };
  if (runtime !== undefined) {
    env["PATH"] = [joinPath(root, "installs/runtimes", runtime, "node_modules/.bin"), env["PATH"]].join(delimiter);
  }
  if (report !== undefined) rmSync(report, { force: true });
  if (report !== undefined) env["OUTCOMES"] = report;
  const reporting = report === undefined ? "" : " --reporter default --reporter ./scripts/outcomes-reporter.ts";
  const version = spawnSync("node --version", { shell: true, env, encoding: "utf8" }).stdout.trim();
  const title = `\n$ ${command}  (Node ${version})`;
  if (alone) console.log(title);
  const start = performance.now();
  const options = { cwd: root, shell: true, env };
  const child = alone
    ? spawn(command + reporting, { ...options, stdio: "inherit" })
    : spawn(`(${command + reporting}) 2>&1`, { ...options, stdio: ["ignore", "pipe", "inherit"] });
  const [printed, [status]] = await Promise.all([
    child.stdout === null ? "" : text(child.stdout),
    once(child, "close") as Promise<[number | null]>,
  ]);
  if (!alone) console.log(`${title}\n${printed}`.trimEnd());
  console.log(`${((performance.now() - start) / 1000).toFixed(1)} s`);
  return status === 0;
}
