import { execFile } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import * as z from "zod/mini";

const root = join(import.meta.dirname, "../..");
/** How long a runner may take to end by itself, in milliseconds. */
const PATIENCE = 240_000;
/** Options of Node with which Jest loads ES modules, and so can intercept. */
export const withModules = "--experimental-vm-modules --disable-warning=ExperimentalWarning";

/** One run of a runner's command in a process of its own. */
export interface RunnerRun {
  /** What became of each test, by its title: `"passed"`, or the message of its failure. */
  readonly outcomes: Readonly<Record<string, string>>;
  /** What the tests noted. */
  readonly notes: Readonly<Record<string, unknown>>;
  /** What the runner printed. */
  readonly output: string;
  /** What it printed on its standard output alone. */
  readonly stdout: string;
  /** How the process ended; undefined if it did not end by itself. */
  readonly code: number | undefined;
}

interface Command {
  /** The folder below `.cache/runners` in which it runs. */
  readonly folder: string;
  /** The Node to run it on, by default this one. */
  readonly node?: string;
  readonly nodeOptions?: string;
  /** More variables of its environment. */
  readonly env?: Readonly<Record<string, string>>;
  /** The arguments of Node: the runner's program and its options. */
  arguments(report: string): readonly string[];
  /** Reads the runner's report. Without it, only what the runner prints counts. */
  read?(report: string): Record<string, string>;
}

/** The path of a runner's program, as a folder of `installs/runners` or the root has it installed. */
export function programOf(installs: string, name: string): string {
  const require = createRequire(join(root, installs, "package.json"));
  const manifest = require.resolve(`${name}/package.json`);
  const { bin } = z
    .object({ bin: z.union([z.string(), z.record(z.string(), z.string())]) })
    .parse(JSON.parse(readFileSync(manifest, "utf8")));
  return join(dirname(manifest), (typeof bin === "string" ? bin : bin[name]) ?? "");
}

/** The environment of another runner, without what the runner of this suite sets for itself. */
export function environmentOfRunner(): NodeJS.ProcessEnv {
  const names = Object.keys(process.env).filter((name) => !/^(VITEST|NODE_ENV|TEST)/.test(name));
  return { ...Object.fromEntries(names.map((name) => [name, process.env[name]])), NO_COLOR: "1" };
}

export async function run({
  folder,
  node = process.execPath,
  nodeOptions = "",
  env: more = {},
  ...command
}: Command): Promise<RunnerRun> {
  const results = mkdtempSync(join(tmpdir(), "centavo-runner-"));
  const report = join(results, "report");
  const notes = join(results, "notes");
  writeFileSync(notes, "");
  const env = { ...environmentOfRunner(), NODE_OPTIONS: nodeOptions, NOTES: notes, ...more };
  const options = { cwd: join(root, ".cache/runners", folder), env, timeout: PATIENCE, maxBuffer: 2 ** 26 };
  const { code, output, stdout } = await new Promise<Pick<RunnerRun, "code" | "output" | "stdout">>((resolve) => {
    execFile(node, [...command.arguments(report)], options, (error, printed, stderr) =>
      resolve({
        code: error === null ? 0 : ((error.code ?? undefined) as number | undefined),
        output: printed + stderr,
        stdout: printed,
      }),
    );
  });
  if (command.read !== undefined && !existsSync(report))
    throw new Error(`The runner wrote no report. It printed:\n${output}`);
  return { outcomes: command.read?.(report) ?? {}, notes: Object.fromEntries(linesOf(notes)), output, stdout, code };
}

/** The lines of JSON in a file. */
function linesOf<Line>(path: string): Line[] {
  return readFileSync(path, "utf8")
    .split("\n")
    .filter((line) => line !== "")
    .map((line) => JSON.parse(line) as Line);
}

/** Reads the reports of Jest and vitest, which have the same shape. */
export function readJestReport(path: string): Record<string, string> {
  const { testResults } = jestReport.parse(JSON.parse(readFileSync(path, "utf8")));
  return Object.fromEntries(
    testResults.flatMap(({ name, message, assertionResults }) =>
      assertionResults.length === 0
        ? [[name, message ?? ""]]
        : assertionResults.map(({ title, status, failureMessages }) => [
            title,
            status === "failed" ? (failureMessages ?? []).join("\n") : status,
          ]),
    ),
  );
}

/** Reads Mocha's report in JSON. */
export function readMochaReport(path: string): Record<string, string> {
  const { passes, failures } = mochaReport.parse(JSON.parse(readFileSync(path, "utf8")));
  return Object.fromEntries([
    ...passes.map(({ title }) => [title, "passed"]),
    ...failures.map(({ title, err }) => [title, err.message]),
  ]) as Record<string, string>;
}

const mochaReport = z.object({
  passes: z.array(z.object({ title: z.string() })),
  failures: z.array(z.object({ title: z.string(), err: z.object({ message: z.string() }) })),
});

/** Reads what `shop/node-test/reporter.cjs` writes. */
export function readNodeReport(path: string): Record<string, string> {
  const lines = linesOf<{ readonly title: string; readonly failure?: string }>(path);
  return Object.fromEntries(lines.map(({ title, failure = "passed" }) => [title, failure]));
}

const jestReport = z.object({
  testResults: z.array(
    z.object({
      name: z.string(),
      message: z.optional(z.string()),
      assertionResults: z.array(
        z.object({ title: z.string(), status: z.string(), failureMessages: z.nullable(z.array(z.string())) }),
      ),
    }),
  ),
});

/** Runs vitest, as a folder has it installed. It prints as people read it, too. */
export function runVitest(installs: string, folder: string, ...options: string[]): Promise<RunnerRun> {
  return run({
    folder,
    arguments: (report) => [
      programOf(installs, "vitest"),
      "run",
      "--reporter=default",
      "--reporter=json",
      `--outputFile.json=${report}`,
      ...options,
    ],
    read: readJestReport,
  });
}
