import { WatchedRun } from "./watched-run.ts";
import type { CoverageReporterOptions } from "./watched-run.ts";

/** What the reporter uses of vitest. */
interface VitestRun {
  readonly projects: readonly {
    readonly config: { readonly setupFiles: string[]; readonly browser?: { readonly enabled: boolean } };
  }[];
}

/**
 * Collects coverage of the service in a run of vitest, prints it at the end, and fails a run that has seen less than the thresholds.
 *
 * @example
 * // vitest.config.ts
 * export default defineConfig({
 *   test: { reporters: ["default", new CoverageReporter({ thresholds: { states: 80 } })] },
 * });
 */
export class CoverageReporter {
  readonly #run: WatchedRun;

  /** @throws {CentavoError} `INVALID_OPTION` */
  constructor(options?: CoverageReporterOptions) {
    this.#run = new WatchedRun("centavo/vitest-reporter", options);
  }

  /** @internal */
  onInit({ projects }: VitestRun): void {
    const collector = this.#run.begin();
    // The collector writes files, which a browser cannot.
    for (const { config } of projects) if (config.browser?.enabled !== true) config.setupFiles.push(collector);
  }

  /** @internal Runs are repeated when files change. */
  onTestRunStart(): void {
    this.#run.clear();
  }

  /** @internal */
  onTestRunEnd(): void {
    const problem = this.#run.end();
    if (problem === undefined) return;
    console.error(problem);
    globalThis.process.exitCode = 1;
  }
}
