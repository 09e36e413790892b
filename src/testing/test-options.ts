import { CentavoError } from "../kit/base/errors/centavo-error.ts";
import { inWords } from "../kit/base/errors/in-words.ts";
import { unknownName } from "../kit/base/errors/known-names.ts";
import { refuseUnknownSimulatorOptions, testOptions } from "../simulator/simulator-options.ts";
import type { SimulatorOptions } from "../simulator/payment-service.ts";
import type { NetworkOptions } from "./test-network.ts";

/** The options of simulated tests: those of `createSimulator`, and those of the test around it. */
export interface TestOptions extends SimulatorOptions, NetworkOptions {
  /**
   * Whether `Date` follows the virtual clock. True by default, unless tests run concurrently in vitest or `Date` is already faked. Other
   * runners do not say which tests are concurrent, so pass `false` for those.
   */
  readonly fakeDate?: boolean;
  /**
   * Whether access tokens of earlier tests, and of the test itself after `sim.reset()`, stay valid, for a shop that keeps its token; false
   * by default. Earlier tests are those of the same file, and of earlier files if the runner keeps modules loaded, as `vitest --no-isolate` does. The tokens expire on the virtual
   * clock of each test.
   */
  readonly keepTokens?: boolean;
  /**
   * Whether a passing test fails because the network refused a request or the simulator itself failed in a call, even if the code under
   * test caught the error; true by default.
   */
  readonly failOnSwallowedErrors?: boolean;
  /**
   * The folder for the recordings of failed tests, relative to the working directory; `.centavo` by default. `false` writes none. Its files
   * are not for git, so a folder that Centavo creates gets a `.gitignore` that says so.
   */
  readonly recordings?: string | false;
  /**
   * When the report of a test is written beside its recording: an HTML document that shows what happened. `"on failure"` by default, and
   * `"never"` with `recordings: false`.
   */
  readonly report?: ReportOption;
}

export type ReportOption = (typeof reportOptions)[number];

type Missing = Exclude<keyof TestOptions, keyof SimulatorOptions | (typeof testOptions)[number]>;
/** TypeScript refuses this if an option of the test is missing. */
const OF_THE_TEST: [Missing] extends [never] ? typeof testOptions : never = testOptions;

/** When the report of a test is written. */
export const reportOptions = ["on failure", "always", "never"] as const;

/** @throws {CentavoError} `INVALID_OPTION` */
export function checkTestOptions(call: string, options: unknown, own: readonly string[] = []): void {
  refuseUnknownSimulatorOptions(call, options, [...own, ...OF_THE_TEST]);
  const { report, timers } = options as { readonly report?: unknown; readonly timers?: unknown };
  if (timers !== undefined && typeof timers !== "boolean")
    throw new CentavoError(
      "INVALID_OPTION",
      `${call}: the option timers is ${inWords(timers)}. It takes true or false.`,
    );
  if (report === undefined || reportOptions.some((option) => option === report)) return;
  throw new CentavoError("INVALID_OPTION", `${call}: ${unknownName("the option report", report, reportOptions)}.`);
}
