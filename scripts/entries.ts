/** An entry of the package. */
export interface Entry {
  readonly name: string;
  readonly source: string;
  /** False when a dependency is ESM only and cannot be bundled, so that CommonJS would not load. */
  readonly commonjs: boolean;
  /** The package of the user's whose types the entry names, when it has no CommonJS form. */
  readonly esmOnlyPeer?: string;
}

/** Every entry of the package. Tests check `exports` in package.json and `paths` in tsconfig.json against this list. */
export const entries: readonly Entry[] = [
  { name: "centavo", source: "src/index.ts", commonjs: true },
  { name: "centavo/calibrate", source: "src/calibrate.ts", commonjs: true },
  { name: "centavo/client", source: "src/client.ts", commonjs: true },
  { name: "centavo/coverage", source: "src/coverage.ts", commonjs: true },
  { name: "centavo/coverage-collector", source: "src/coverage-collector.ts", commonjs: false },
  { name: "centavo/exam", source: "src/exam.ts", commonjs: false },
  { name: "centavo/fixtures", source: "src/fixtures.ts", commonjs: true },
  { name: "centavo/jest", source: "src/jest.ts", commonjs: true },
  { name: "centavo/jest-reporter", source: "src/jest-reporter.ts", commonjs: false },
  { name: "centavo/machines", source: "src/machines.ts", commonjs: true },
  { name: "centavo/msw", source: "src/msw.ts", commonjs: false, esmOnlyPeer: "msw" },
  { name: "centavo/no-network", source: "src/no-network.ts", commonjs: true },
  { name: "centavo/node", source: "src/node.ts", commonjs: false },
  { name: "centavo/openapi", source: "src/openapi.ts", commonjs: true },
  { name: "centavo/playwright", source: "src/playwright.ts", commonjs: true },
  { name: "centavo/report", source: "src/report.ts", commonjs: true },
  { name: "centavo/scenario", source: "src/scenario.ts", commonjs: true },
  { name: "centavo/server", source: "src/server.ts", commonjs: true },
  { name: "centavo/shake", source: "src/shake.ts", commonjs: true },
  { name: "centavo/testing", source: "src/testing.ts", commonjs: true },
  { name: "centavo/vitest", source: "src/vitest.ts", commonjs: false, esmOnlyPeer: "vitest" },
  { name: "centavo/vitest-reporter", source: "src/vitest-reporter.ts", commonjs: false },
  { name: "centavo/webhooks", source: "src/webhooks.ts", commonjs: true },
];

/** The program behind `bin`. */
export const program = "src/cli/main.ts";

/** The program of a test run's inspector, which tests start. */
export const inspectorProgram = "src/server/hub/main.ts";

/** What `centavo doctor` loads into the processes of a suite. It is no entry, because nobody imports it. */
export const observer = "src/doctor/observer.ts";

/** Returns the path of a source's built file without its extension: `src/cli/main.ts` gives `cli/main`. */
export function outputName(source: string): string {
  return source.replace(/^src\//, "").replace(/\.tsx?$/, "");
}
