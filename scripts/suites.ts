import { join } from "node:path";
import type { DebianPackage } from "./install-debian-packages.ts";

/** One command of a suite, or a run of tests. */
export type Stage = Command | Tests;

export interface Command {
  readonly command: string;
}

/** Projects of `vitest.config.ts`. */
export interface Tests {
  readonly projects: readonly string[];
  /** The folder under `installs/runtimes` with the Node that runs them; by default the Node that runs this script. */
  readonly runtime?: string;
}

export interface Suite {
  /** The folders with a lock of their own whose packages it needs beside those of the root. */
  readonly installs: readonly string[];
  readonly debianPackages?: readonly DebianPackage[];
  /** What it runs, in order. What stands in an inner list runs at once: none needs another, and most keep one processor busy. */
  readonly stages: readonly (Stage | readonly Stage[])[];
}

export const root = join(import.meta.dirname, "..");
/** The folder of the diagrams of the machines, below `root`. */
export const diagramsFolder = "docs/reference/machines";
export const reports = join(root, ".cache/reports");

const build: Command = { command: "node scripts/build.ts" };
const otherNodes = ["installs/runtimes/lowest", "installs/runtimes/newest"];
const generators = ["openapi-down-convert", "openapi-typescript", "prisma"].map(
  (name) => `installs/generators/${name}`,
);
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
    debianPackages: ["chromium-headless-shell"],
    stages: [build, checked("test/browser"), vitest("browser")],
  },
  beside: {
    installs: ["test/beside", ...generators, ...peers],
    debianPackages: [
      "bash-completion",
      "fish",
      "haproxy",
      "libopenapi-client-perl",
      "postgresql",
      "redis-server",
      "zsh",
    ],
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
  examples: {
    installs: ["examples"],
    // The last four are for the shop that is a shell script.
    debianPackages: ["chromium-headless-shell", "python3", "php-cli", "busybox", "curl", "jq", "openssl"],
    stages: [build, checked("examples"), vitest("examples")],
  },
  soak: { installs: [], stages: [build, vitest("soak")] },
  types: {
    installs: ["installs/packaging", "test/beside", ...["5.5", "5.9"].map((name) => `installs/compilers/${name}`)],
    stages: [build, { command: "npm run --silent package" }, vitest("types")],
  },
  // Below a folder, where a link that forgets the base leads nowhere.
  site: {
    installs: ["site", "test/browser"],
    debianPackages: ["chromium-headless-shell"],
    stages: [
      build,
      [...checked("site"), ...checked("test/site"), { command: "SITE_BASE=/centavo/ npm run --silent site" }],
      vitest("site"),
    ],
  },
};

/**
 * Joins suites into one, which does what they share once: it runs the build, then the checks at once, then the tests together, so that no
 * processor waits for the last test of each suite.
 */
export function joinSuites(names: readonly string[]): Suite {
  const joined = names.map((name) => {
    const suite = suites[name];
    if (suite === undefined)
      throw new Error(`There is no suite "${name}"; there are ${Object.keys(suites).join(", ")}.`);
    return suite;
  });
  if (joined.length === 1 && joined[0] !== undefined) return joined[0];
  const stages = joined.flatMap((suite) => suite.stages.flat());
  const commands = stages.flatMap((stage) => ("command" in stage ? [stage.command] : []));
  const checks = [...new Set(commands)].filter((command) => command !== build.command);
  const tests = Map.groupBy(
    stages.filter((stage) => "projects" in stage),
    ({ runtime }) => runtime,
  );
  return {
    installs: [...new Set(joined.flatMap(({ installs }) => installs))],
    debianPackages: [...new Set(joined.flatMap(({ debianPackages = [] }) => debianPackages))],
    stages: [
      build,
      checks.map((command) => ({ command })),
      ...Array.from(tests.values(), (runs) => ({ ...runs[0], projects: runs.flatMap(({ projects }) => projects) })),
    ],
  };
}

/** The checks of a folder whose packages the root does not have. */
function checked(folder: string): readonly Command[] {
  return [{ command: `npm run --silent types -- --project ${folder}` }, { command: `oxlint ${folder}` }];
}

function onNode(runtime: string): Tests {
  return { ...vitest("core", "core-isolated", "package"), runtime };
}

function vitest(...projects: readonly string[]): Tests {
  return { projects };
}
