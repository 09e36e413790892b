import { pathToFileURL } from "node:url";
import { WatchedRun } from "./watched-run.ts";
import type { CoverageReporterOptions } from "./watched-run.ts";

/** The parts of Jest's configuration that the reporter uses. */
interface JestRun {
  readonly testNamePattern?: string;
  /** Up to Jest 29. */
  readonly testPathPattern?: string;
  readonly testPathPatterns?: { readonly patterns: readonly string[] };
  readonly findRelatedTests?: boolean;
  readonly onlyChanged?: boolean;
  readonly onlyFailures?: boolean;
}

/**
 * Collects coverage of the service in a run of Jest, prints it at the end, and fails the run if it is below a threshold.
 *
 * @example
 * // jest.config.js
 * module.exports = { reporters: ["default", ["centavo/jest-reporter", { thresholds: { states: 80 } }]] };
 */
export class CoverageReporter {
  readonly #jest: JestRun;
  readonly #run: WatchedRun;
  #problem: string | undefined;
  #added = "";

  /** @throws {CentavoError} `INVALID_OPTION` */
  constructor(config: unknown, options?: CoverageReporterOptions) {
    this.#jest = config as JestRun;
    this.#run = new WatchedRun("centavo/jest-reporter", options);
  }

  /**
   * @internal Workers learn the setting from Node's options, because Jest hides its own process from tests; with `--runInBand`, the tests
   * run in this process.
   */
  async onRunStart(): Promise<void> {
    const modules = this.#run.begin().map((path) => pathToFileURL(path).href);
    const { env } = globalThis.process;
    const options = env["NODE_OPTIONS"] ?? "";
    const added = modules.map((url) => ` --import=${url}`).join("");
    if (!options.includes(added)) {
      env["NODE_OPTIONS"] = options + added;
      this.#added = added;
    }
    for (const url of modules) await import(url);
  }

  /** @internal */
  onRunComplete(): void {
    const { env } = globalThis.process;
    env["NODE_OPTIONS"] = (env["NODE_OPTIONS"] ?? "").replace(this.#added, "");
    this.#problem = this.#run.end(isFiltered(this.#jest));
    if (this.#problem !== undefined) console.error(this.#problem);
  }

  /** @internal Jest fails the run. */
  getLastError(): Error | undefined {
    return this.#problem === undefined ? undefined : new Error(this.#problem);
  }
}

function isFiltered({ testNamePattern = "", testPathPattern = "", testPathPatterns, ...only }: JestRun): boolean {
  const { findRelatedTests = false, onlyChanged = false, onlyFailures = false } = only;
  const named = testNamePattern !== "" || testPathPattern !== "" || (testPathPatterns?.patterns.length ?? 0) > 0;
  return named || findRelatedTests || onlyChanged || onlyFailures;
}
