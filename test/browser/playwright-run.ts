import { spawn } from "node:child_process";
import { once } from "node:events";
import { cpSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { stripVTControlCharacters } from "node:util";
import type { JSONReport, JSONReportSuite } from "@playwright/test/reporter";
import { installPacked } from "../packed.ts";
import { environmentOfRunner, programOf } from "../runners/runner.ts";

/** What became of one attempt of a test. */
export interface Attempt {
  readonly status: string;
  /** The messages of its errors, without colours. */
  readonly errors: readonly string[];
  readonly steps: readonly string[];
  /** The text of each attachment, by its name. */
  readonly attachments: Readonly<Record<string, string>>;
  readonly annotations: Readonly<Record<string, string>>;
}

/** One run of Playwright in a process of its own. */
export interface PlaywrightRun {
  readonly code: number | null;
  readonly output: string;
  /** The attempts of each test, by its title. */
  readonly tests: Readonly<Record<string, readonly Attempt[]>>;
}

export type Modules = "ES modules" | "CommonJS";

/** Installs the packed tarball beside the specs, once as ES modules and once as Playwright makes CommonJS of them. */
export function installSpecs(): Readonly<Record<Modules, string>> {
  const { folder } = installPacked("playwright");
  const projectOf = (name: string, manifest: object): string => {
    const project = join(folder, name);
    mkdirSync(project);
    writeFileSync(join(project, "package.json"), JSON.stringify({ name, private: true, ...manifest }));
    // Otherwise Playwright takes the paths of this repository, which lead to the sources.
    writeFileSync(join(project, "tsconfig.json"), "{}");
    cpSync(join(import.meta.dirname, "playwright"), project, { recursive: true });
    return project;
  };
  return { "ES modules": projectOf("esm", { type: "module" }), CommonJS: projectOf("cjs", {}) };
}

/** Runs specs. Fails if a process outlives the run. */
export async function runSpecs(
  cwd: string,
  options: readonly string[],
  environment: NodeJS.ProcessEnv = {},
): Promise<PlaywrightRun> {
  const report = join(cwd, "report.json");
  rmSync(report, { force: true });
  const child = spawn(process.execPath, [programOf(".", "playwright"), "test", "--reporter=json,list", ...options], {
    cwd,
    // A group of its own, whose members show what is left behind.
    detached: true,
    stdio: ["ignore", "pipe", "pipe"],
    env: { ...environmentOfRunner(), PLAYWRIGHT_JSON_OUTPUT_NAME: report, ...environment },
  });
  const [stdout, stderr, [code]] = await Promise.all([
    text(child.stdout),
    text(child.stderr),
    once(child, "close") as Promise<[number | null]>,
  ]);
  return { code, output: stdout + stderr, tests: Object.fromEntries(testsIn(readReport(report, stdout + stderr))) };
}

function readReport(path: string, output: string): JSONReport {
  try {
    return JSON.parse(readFileSync(path, "utf8")) as JSONReport;
  } catch (error) {
    throw new Error(`Playwright wrote no report. It printed:\n${output}`, { cause: error });
  }
}

function testsIn({ suites = [], specs = [] }: Partial<JSONReportSuite>): [string, Attempt[]][] {
  const own = specs.map(({ title, tests }): [string, Attempt[]] => [
    title,
    tests.flatMap(({ results }) => results.map(attemptOf)),
  ]);
  return own.concat(suites.flatMap(testsIn));
}

type Result = JSONReportSuite["specs"][number]["tests"][number]["results"][number];

function attemptOf({ status, errors, steps = [], attachments, annotations }: Result): Attempt {
  return {
    status: status ?? "unknown",
    errors: errors.map(({ message }) => stripVTControlCharacters(message ?? "")),
    steps: steps.map(({ title }) => title),
    attachments: Object.fromEntries(
      attachments.map(({ name, body, path }) => [
        name,
        path === undefined ? Buffer.from(body ?? "", "base64").toString() : readFileSync(path, "utf8"),
      ]),
    ),
    annotations: Object.fromEntries(annotations.map(({ type, description = "" }) => [type, description])),
  };
}
