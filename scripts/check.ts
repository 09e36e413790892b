import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, readFileSync, rmSync } from "node:fs";
import { delimiter, join } from "node:path";

/** One command of the test run, and where vitest leaves its numbers if it is vitest. */
interface Stage {
  readonly command: string;
  readonly report?: string;
  /** The folder under `runtimes` whose Node runs the stage; by default the one that runs this script. */
  readonly runtime?: string;
}

interface Tally {
  passed: number;
  failed: number;
  skipped: number;
}

const root = join(import.meta.dirname, "..");
const cache = join(root, ".cache");

const stages: readonly Stage[] = [
  { command: "tsc" },
  { command: "oxlint" },
  { command: "oxfmt --check" },
  { command: "knip" },
  { command: "npm run --silent build" },
  { command: "publint --strict" },
  { command: "attw --pack ." },
  vitest("suite"),
  vitest("package"),
  vitest("core", "lowest"),
  vitest("core", "newest"),
];

process.exitCode = run();

function vitest(project: string, runtime?: string): Stage {
  const report = `.cache/${project}-${runtime ?? "pinned"}.json`;
  const command = `vitest run --project ${project} --reporter default --reporter json --outputFile.json ${report}`;
  return runtime === undefined ? { command, report } : { command, report, runtime };
}

function run(): number {
  const tally: Tally = { passed: 0, failed: 0, skipped: 0 };
  mkdirSync(cache, { recursive: true });
  for (const stage of stages) {
    const succeeded = runStage(stage);
    const counted = stage.report === undefined ? undefined : readReport(join(root, stage.report));
    if (counted !== undefined) {
      tally.passed += counted.passed;
      tally.failed += counted.failed;
      tally.skipped += counted.skipped;
    }
    if (!succeeded) {
      console.log(`\nFailed: ${stage.command}`);
      tally.failed = Math.max(tally.failed, 1);
      break;
    }
  }
  const skipped = tally.skipped === 0 ? "" : `, ${tally.skipped} skipped`;
  console.log(`\n${tally.passed} passed, ${tally.failed} failed${skipped}`);
  return tally.failed === 0 ? 0 : 1;
}

function runStage(stage: Stage): boolean {
  const env = { ...process.env };
  if (stage.runtime !== undefined) {
    env["PATH"] = [join(root, "runtimes", stage.runtime, "node_modules", ".bin"), env["PATH"]].join(delimiter);
  }
  if (stage.report !== undefined) rmSync(join(root, stage.report), { force: true });
  const version = spawnSync("node --version", { shell: true, env, encoding: "utf8" }).stdout.trim();
  console.log(`\n$ ${stage.command}  (Node ${version})`);
  const start = performance.now();
  const { status } = spawnSync(stage.command, { cwd: root, shell: true, stdio: "inherit", env });
  console.log(`${((performance.now() - start) / 1000).toFixed(1)} s`);
  return status === 0;
}

function readReport(path: string): Tally | undefined {
  if (!existsSync(path)) return undefined;
  const report: unknown = JSON.parse(readFileSync(path, "utf8"));
  return {
    passed: count(report, "numPassedTests"),
    failed: count(report, "numFailedTests"),
    skipped: count(report, "numPendingTests") + count(report, "numTodoTests"),
  };
}

function count(report: unknown, name: string): number {
  const value: unknown = typeof report === "object" && report !== null ? Reflect.get(report, name) : undefined;
  if (typeof value !== "number") throw new TypeError(`The test report has no ${name}: was it written by this vitest?`);
  return value;
}
