import { join } from "node:path";

/** One command of a suite. */
export interface Stage {
  readonly command: string;
  /** The file to which vitest writes what became of each test, if the command is vitest. */
  readonly report?: string;
  /** The folder under `installs/runtimes` with the Node that runs the command; by default the Node that runs this script. */
  readonly runtime?: string;
}

export interface Suite {
  /** The folders with a lock of their own whose packages it needs beside those of the root. */
  readonly installs: readonly string[];
  /** Whether it needs the Chromium of the system. */
  readonly chromium?: true;
  /** Its commands in order. Those of an inner list run at once: none needs another, and most keep one processor busy. */
  readonly stages: readonly (Stage | readonly Stage[])[];
}

export const root = join(import.meta.dirname, "..");
/** The folder of the diagrams of the machines, below `root`. */
export const diagramsFolder = "docs/reference/machines";
export const reports = join(root, ".cache/reports");

const build: Stage = { command: "node scripts/build.ts" };
const otherNodes = ["installs/runtimes/lowest", "installs/runtimes/newest"];
const peers = ["msw-1", "msw-2", "nock-14", "nock-15.0.0", "nock-15.0.2", "undici-6", "undici-7"].map(
  (name) => `installs/peers/${name}`,
);

/** Every suite. `npm test` runs the first, and `.ci/run` all of them; each has a name of its own, such as `npm run test:runtimes`. */
export const suites: Readonly<Record<string, Suite>> = {
  test: {
    installs: [],
    stages: [
      [
        build,
        { command: "npm run --silent types" },
        { command: "npm run --silent lint" },
        { command: "npm run --silent unused" },
        { command: "oxfmt --check" },
      ],
      vitest("suite", "suite-isolated", "package"),
    ],
  },
  browser: {
    installs: ["test/browser", ...["browser", "jest", "mocha"].map((name) => `installs/runners/${name}`)],
    chromium: true,
    stages: [build, checked("test/browser"), vitest("browser")],
  },
  beside: {
    installs: ["test/beside", "installs/generators/openapi-typescript", ...peers],
    stages: [checked("test/beside"), vitest("beside")],
  },
  slow: { installs: otherNodes, stages: [build, vitest("slow", "slow-isolated", "slow-properties")] },
  exam: { installs: otherNodes, stages: [vitest("exam")] },
  runtimes: {
    installs: [...otherNodes, "test/beside", ...peers],
    stages: [build, ...["lowest", "newest"].map(onNode)],
  },
  runners: {
    installs: [
      "test/beside",
      "installs/runtimes/lowest",
      "installs/bundlers/all",
      ...["jest", "jsdom", "mocha", ...[0, 1, 2, 3, 4, "4.0"].map((number) => `vitest-${number}`)].map(
        (name) => `installs/runners/${name}`,
      ),
    ],
    stages: [build, vitest("runners")],
  },
  examples: { installs: ["examples"], stages: [build, checked("examples"), vitest("examples")] },
  soak: { installs: [], stages: [vitest("soak")] },
  types: {
    installs: ["installs/packaging", "test/beside", ...["5.5", "5.9"].map((name) => `installs/compilers/${name}`)],
    stages: [build, { command: "npm run --silent package" }, vitest("types")],
  },
  // Below a folder, where a link that forgets the base leads nowhere.
  site: {
    installs: ["site", "test/browser"],
    chromium: true,
    stages: [
      build,
      [...checked("site"), ...checked("test/site"), { command: "SITE_BASE=/centavo/ npm run --silent site" }],
      vitest("site"),
    ],
  },
};

/** The checks of a folder whose packages the root does not have. */
function checked(folder: string): readonly Stage[] {
  return [{ command: `npm run --silent types -- --project ${folder}` }, { command: `oxlint ${folder}` }];
}

function onNode(runtime: string): Stage {
  return { ...vitest("core", "core-isolated", "package"), runtime, report: reportOf(`core-on-the-${runtime}-node`) };
}

function vitest(...projects: readonly string[]): Stage {
  return {
    command: `vitest run ${projects.map((project) => `--project ${project}`).join(" ")}`,
    report: reportOf(projects.join("-and-")),
  };
}

function reportOf(name: string): string {
  return join(reports, `${name}.json`);
}
