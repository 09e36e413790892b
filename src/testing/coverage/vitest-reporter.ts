import { CentavoError } from "../../kit/base/errors/centavo-error.ts";
import { WatchedRun } from "./watched-run.ts";
import type { CoverageReporterOptions } from "./watched-run.ts";

/** The parts of vitest that the reporter uses. */
interface VitestRun {
  /** vitest 1 does not tell it. */
  readonly version?: string;
  readonly projects: readonly {
    readonly config: { readonly setupFiles: string[]; readonly browser?: { readonly enabled: boolean } };
  }[];
  /** Parts of the names of the files to run. */
  readonly filenamePattern?: readonly string[];
  readonly config?: {
    readonly testNamePattern?: RegExp;
    readonly related?: readonly string[];
    readonly changed?: boolean | string;
  };
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
  #vitest: VitestRun | undefined;

  /** @throws {CentavoError} `INVALID_OPTION` */
  constructor(options?: CoverageReporterOptions) {
    this.#run = new WatchedRun("centavo/vitest-reporter", options);
  }

  /**
   * Called by vitest.
   * @throws {CentavoError} `INVALID_STATE`
   */
  onInit(vitest: VitestRun): void {
    // An older vitest would never call `onTestRunEnd`, and so pass below every threshold.
    if (!(Number.parseInt(vitest.version ?? "", 10) >= 3))
      throw new CentavoError(
        "INVALID_STATE",
        `CoverageReporter needs vitest 3 or later, and this is ${vitest.version ?? "an older one"}. Update vitest, or leave the reporter out, ` +
          'set setupFiles: ["centavo/coverage-collector"], and run npx centavo coverage after the tests.',
      );
    this.#vitest = vitest;
    const modules = this.#run.begin();
    // The collector writes files, which a browser cannot do. The network is blocked before other tools intercept it.
    for (const { config } of vitest.projects)
      if (config.browser?.enabled !== true) config.setupFiles.unshift(...modules);
  }

  /** Called by vitest, which repeats a run when files change. */
  onTestRunStart(): void {
    this.#run.clear();
  }

  /** Called by vitest. */
  onTestRunEnd(): void {
    const problem = this.#run.end(isFiltered(this.#vitest));
    if (problem === undefined) return;
    console.error(problem);
    globalThis.process.exitCode = 1;
  }
}

function isFiltered({ filenamePattern = [], config = {} }: Partial<VitestRun> = {}): boolean {
  const { testNamePattern, related = [], changed = false } = config;
  return testNamePattern !== undefined || filenamePattern.length > 0 || related.length > 0 || changed !== false;
}
