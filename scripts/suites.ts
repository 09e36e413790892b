import { join } from "node:path";

/** One command of a suite, and what it leaves behind if it is vitest. */
export interface Stage {
  readonly command: string;
  /** Where vitest writes its report. */
  readonly report?: string;
  /** The folder under `runtimes` whose Node runs the stage; by default the one that runs this script. */
  readonly runtime?: string;
}

export const root = join(import.meta.dirname, "..");
export const reports = join(root, ".cache/reports");

/** What `npm test` runs, and the slow suites that `.ci/run` adds, by name: `npm run test:runtimes`. */
export const suites: Readonly<Record<string, readonly Stage[]>> = {
  test: [
    { command: "tsc" },
    { command: "oxlint" },
    { command: "oxfmt --check" },
    { command: "knip" },
    { command: "npm run --silent build" },
    { command: "publint --strict" },
    { command: "attw --pack ." },
    vitest("suite", "suite-isolated"),
    vitest("package"),
  ],
  runtimes: [
    { ...vitest("core", "core-isolated"), runtime: "lowest", report: reportOf("core-on-the-lowest-node") },
    { ...vitest("core", "core-isolated"), runtime: "newest", report: reportOf("core-on-the-newest-node") },
  ],
};

function vitest(...projects: readonly string[]): Stage {
  return {
    command: `vitest run ${projects.map((project) => `--project ${project}`).join(" ")}`,
    report: reportOf(projects.join("-and-")),
  };
}

function reportOf(name: string): string {
  return join(reports, `${name}.json`);
}
