import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { simulated } from "centavo/testing";
import type { SimulatedOptions, TestParts } from "centavo/testing";
import { findingsOf } from "../../src/shake/findings.ts";
import type { Finding } from "../../src/shake/findings.ts";
import type { ReportedVariations } from "../../src/report/reported-variations.ts";
import { reportedVariations } from "../../src/shake/reported-variations.ts";
import { shake } from "../../src/shake/shake.ts";
import type { ShakeOptions, ShakeResult } from "../../src/shake/shake.ts";
import { vary } from "../../src/shake/vary.ts";
import type { VaryOptions } from "../../src/shake/vary.ts";
import { FOLDER_VARIABLE, planPath, recordsFolder, RUN_VARIABLE } from "../../src/testing/shake/run-folder.ts";
import type { TestRecord } from "../../src/testing/shake/test-record.ts";

/** A test of a suite that is shaken in this process. */
export type Suite = Readonly<Record<string, (parts: TestParts) => Promise<void>>>;

/** What a shake of a suite found, and the rest of its result. */
export interface Shaken extends ShakeResult {
  readonly findings: readonly Finding[];
}

/**
 * Shakes tests in this process, as `centavo shake` does in processes of their own.
 * @param options.suite gives options of `simulated` to each test
 */
export async function shakenIn(
  tests: Suite,
  { suite, ...options }: Partial<ShakeOptions> & { readonly suite?: SimulatedOptions } = {},
): Promise<Shaken> {
  const result = await inRuns(tests, suite, (run) => shake({ ...options, run }));
  return { ...result, findings: findingsOf(result.judged) };
}

/**
 * Runs tests in this process under other answers, as `centavo shake --vary` does in processes of their own.
 * @param options.suite gives options of `simulated` to each test
 * @param options.isOver says before each run whether no time is left for it
 */
export async function variedIn(
  tests: Suite,
  {
    suite,
    isOver = () => false,
    ...options
  }: Partial<VaryOptions> & { readonly suite?: SimulatedOptions; readonly isOver?: () => boolean } = {},
): Promise<ReportedVariations> {
  const result = await inRuns(tests, suite, (run) =>
    vary({ ...options, run: async (number, plan) => (isOver() ? undefined : run(number, plan)) }),
  );
  return reportedVariations(result, { command: ["npx", "vitest", "run"], accepted: new Set() });
}

async function inRuns<Result>(
  tests: Suite,
  suite: SimulatedOptions | undefined,
  shaking: (run: ShakeOptions["run"]) => Promise<Result | undefined>,
): Promise<Result> {
  const folder = mkdtempSync(join(tmpdir(), "shake-in-process-"));
  const keys = new Map<string, string>();
  try {
    const result = await shaking(async (number, plan) => {
      writeFileSync(planPath(folder, number), JSON.stringify(plan));
      process.env[FOLDER_VARIABLE] = folder;
      process.env[RUN_VARIABLE] = String(number);
      // As Mocha's root suite, so that each run counts its tests from the start.
      const root = {};
      for (const [name, test] of Object.entries(tests)) {
        // A test without a trouble does what it did before.
        if (number > 0 && !Object.hasOwn(plan, keys.get(name) ?? "")) continue;
        const run = simulated({ network: "fetch", name, ...suite }, test);
        const mocha = { timeout: () => 60_000, test: { fullTitle: () => name, parent: root } };
        await run.call(mocha as unknown as void).catch(() => undefined);
      }
      const records = recordsIn(recordsFolder(folder, number));
      if (number === 0) for (const { test } of records) keys.set(test.title, test.key);
      return { records };
    });
    if (result === undefined) throw new Error("The suite did not run.");
    return result;
  } finally {
    delete process.env[FOLDER_VARIABLE];
    delete process.env[RUN_VARIABLE];
    rmSync(folder, { recursive: true, force: true });
  }
}

function recordsIn(folder: string): readonly TestRecord[] {
  return readdirSync(folder)
    .filter((name) => name.endsWith(".json"))
    .map((name) => JSON.parse(readFileSync(join(folder, name), "utf8")) as TestRecord)
    .toSorted((one, other) => one.test.title.localeCompare(other.test.title, "en"));
}
