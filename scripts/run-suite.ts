/**
 * `node scripts/run-suite.ts NAME [NAME ...]` installs what suites of `suites.ts` need, runs them up to the first failure, and ends with
 * `N passed, N failed`.
 */
import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { delimiter, join as joinPath } from "node:path";
import { text } from "node:stream/consumers";
import { installDebianPackages } from "./install-debian-packages.ts";
import { installPackages } from "./install-packages.ts";
import { joinSuites, reports, root } from "./suites.ts";
import type { Stage } from "./suites.ts";
import { closingLine, join, readReport } from "./tally.ts";
import type { Outcomes, Summary } from "./tally.ts";

interface Result {
  readonly command: string;
  readonly succeeded: boolean;
  readonly outcomes: Outcomes;
}

const names = process.argv.slice(2);
const suite = joinSuites(names);
const file = names.join("-and-");
const summary = joinPath(reports, `${file}.suite.json`);
mkdirSync(reports, { recursive: true });
rmSync(summary, { force: true });

// Three at a time, because npm waits for the registry and for the disk in turn.
const folders = suite.installs.values();
await Promise.all(
  [1, 2, 3].map(async () => {
    for (const folder of folders) await installPackages(folder);
  }),
);
installDebianPackages(suite.debianPackages ?? []);

const results: Result[] = [];
for (const [index, stage] of suite.stages.entries()) {
  const atOnce = [stage].flat();
  const report = joinPath(reports, `${file}-${index}.json`);
  results.push(...(await Promise.all(atOnce.map((each) => run(each, report, atOnce.length === 1)))));
  if (results.some(({ succeeded }) => !succeeded)) break;
}
const failed = results.filter(({ succeeded }) => !succeeded);
for (const { command } of failed) console.log(`\nFailed: ${command}`);
const outcomes = join(results.map((result) => result.outcomes));
// A failed test is already counted. A command that fails without one, such as the linter, counts as one failure.
const failedCommands = failed.filter((result) => !Object.values(result.outcomes).includes("failed")).length;
writeFileSync(summary, JSON.stringify({ suites: names, outcomes, failedCommands } satisfies Summary));
console.log(`\n${closingLine(outcomes, failedCommands)}`);
process.exitCode = failed.length === 0 ? 0 : 1;

/** Runs a command, or tests with a report. Alone it prints as it goes; beside others it prints what it has to say when it ends. */
async function run(stage: Stage, report: string, alone: boolean): Promise<Result> {
  // The tests start many processes from the sources, which Node then strips of types once.
  const env: NodeJS.ProcessEnv = { NODE_COMPILE_CACHE: joinPath(root, ".cache/compiled"), ...process.env };
  const isTests = "projects" in stage;
  if (isTests) {
    if (stage.runtime !== undefined)
      env["PATH"] = [joinPath(root, "installs/runtimes", stage.runtime, "node_modules/.bin"), env["PATH"]].join(
        delimiter,
      );
    env["OUTCOMES"] = report;
    rmSync(report, { force: true });
  }
  const command = isTests ? `vitest run ${stage.projects.map((name) => `--project ${name}`).join(" ")}` : stage.command;
  const reporting = isTests ? " --reporter default --reporter ./scripts/outcomes-reporter.ts" : "";
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
  return { command, succeeded: status === 0, outcomes: isTests ? readReport(report) : {} };
}
