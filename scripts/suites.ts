import { join } from "node:path";

/** One command of a suite. */
export interface Stage {
  readonly command: string;
  /** The file to which vitest writes its report, if the command is vitest. */
  readonly report?: string;
  /** The folder under `installs/runtimes` with the Node that runs the command; by default the Node that runs this script. */
  readonly runtime?: string;
}

export const root = join(import.meta.dirname, "..");
/** The folder of the diagrams of the machines, below `root`. */
export const diagramsFolder = "docs/reference/machines";
export const reports = join(root, ".cache/reports");

const build: Stage = { command: "node scripts/build.ts" };

/**
 * The commands of each suite. `npm test` runs the first suite, and `.ci/run` also runs the slow ones, such as `npm run test:runtimes`.
 * Those of an inner list run at once: none needs another, and most of them keep one processor busy.
 */
export const suites: Readonly<Record<string, readonly (Stage | readonly Stage[])[]>> = {
  test: [
    [
      build,
      { command: "npm run --silent types" },
      { command: "oxlint" },
      { command: "knip" },
      { command: "oxfmt --check" },
    ],
    { command: "npm run --silent package" },
    vitest("suite", "suite-isolated", "package"),
  ],
  slow: [vitest("slow", "slow-isolated")],
  runtimes: [
    { ...vitest("core", "core-isolated"), runtime: "lowest", report: reportOf("core-on-the-lowest-node") },
    { ...vitest("core", "core-isolated"), runtime: "newest", report: reportOf("core-on-the-newest-node") },
  ],
  browser: [vitest("browser")],
  runners: [build, vitest("runners")],
  examples: [build, vitest("examples")],
  exam: [vitest("exam")],
  soak: [vitest("soak")],
  types: [build, vitest("types")],
  // Below a folder, where a link that forgets the base leads nowhere.
  site: [build, { command: "SITE_BASE=/centavo/ npm run --silent site" }, vitest("site")],
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
