import { pathToFileURL } from "node:url";
import { WatchedRun } from "./watched-run.ts";
import type { CoverageReporterOptions } from "./watched-run.ts";

/**
 * Collects coverage of the service in a run of Jest, prints it at the end, and fails a run that has seen less than the thresholds.
 *
 * @example
 * // jest.config.js
 * module.exports = { reporters: ["default", ["centavo/jest-reporter", { thresholds: { states: 80 } }]] };
 */
export class CoverageReporter {
  readonly #run: WatchedRun;
  #problem: string | undefined;
  #added = "";

  /** @throws {CentavoError} `INVALID_OPTION` */
  constructor(_config: unknown, options?: CoverageReporterOptions) {
    this.#run = new WatchedRun("centavo/jest-reporter", options);
  }

  /** @internal Workers are told by the options of Node, because Jest hides its own process from the tests; a run in band is in this one. */
  async onRunStart(): Promise<void> {
    const collector = pathToFileURL(this.#run.begin()).href;
    const { env } = globalThis.process;
    const options = env["NODE_OPTIONS"] ?? "";
    const added = ` --import=${collector}`;
    if (!options.includes(added)) {
      env["NODE_OPTIONS"] = options + added;
      this.#added = added;
    }
    await import(collector);
  }

  /** @internal */
  onRunComplete(): void {
    const { env } = globalThis.process;
    env["NODE_OPTIONS"] = (env["NODE_OPTIONS"] ?? "").replace(this.#added, "");
    this.#problem = this.#run.end();
    if (this.#problem !== undefined) console.error(this.#problem);
  }

  /** @internal Jest fails the run. */
  getLastError(): Error | undefined {
    return this.#problem === undefined ? undefined : new Error(this.#problem);
  }
}
