import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import { commandLine } from "../report/causes/commands.ts";
import { CentavoError } from "../kit/base/errors/centavo-error.ts";
import { unknownName } from "../kit/base/errors/known-names.ts";
import { messageOf } from "../kit/base/errors/thrown-values.ts";
import { findingsOf } from "../shake/findings.ts";
import type { Finding } from "../shake/findings.ts";
import { findingsInLines, summaryInLines } from "../shake/in-words.ts";
import type { PlacedTrouble } from "../shake/placed-trouble.ts";
import { shake } from "../shake/shake.ts";
import type { ShakeResult, SuiteRun } from "../shake/shake.ts";
import { troubleOfToken } from "../shake/token.ts";
import { kindOf, kindsOfTrouble } from "../shake/troubles-of-shake.ts";
import type { RunPlan } from "../testing/shake/run-folder.ts";
import type { TestRecord } from "../testing/shake/test-record.ts";
import { exitCodes } from "./exit-codes.ts";
import { styled } from "./output.ts";
import type { Output } from "./output.ts";
import { SuiteRuns } from "./suite-runs.ts";

export interface ShakeCommandOptions {
  readonly only?: readonly string[];
  readonly maxRuns?: number;
  readonly seconds?: number;
  readonly jobs?: number;
  readonly replay?: string;
  readonly baseline?: string;
  readonly failOn: "money" | "tests" | "never";
  readonly json?: boolean;
}

/** How much of what a suite prints is shown when none of its tests was recorded, in lines. */
const MOST_LINES = 20;

/**
 * Shakes a suite, and prints the findings.
 * @param stopped resolves with the number of the signal that asks the command to stop
 * @returns the exit code of the process
 */
export async function shakeSuite(
  command: readonly string[],
  options: ShakeCommandOptions,
  output: Output,
  directory: string,
  stopped: Promise<number>,
): Promise<number> {
  let suite: SuiteRuns | undefined;
  try {
    const isWanted = wantedBy(options);
    const accepted = acceptedBy(options.baseline, directory);
    suite = new SuiteRuns(command, directory);
    const shaking = shake({
      run: runsOf(suite, options, output),
      isWanted,
      ...(options.jobs === undefined ? {} : { jobs: options.jobs }),
      onPlan: (runs) => output.progress?.begin(`shaking, ${runs} runs`, "runs"),
    });
    const result = await Promise.race([shaking, stopped]);
    if (typeof result === "number") return 128 + result;
    output.progress?.end();
    if (result === undefined) return exitCodes.couldNotRun;
    return tell(result, command, options, output, accepted);
  } catch (error) {
    if (!(error instanceof CentavoError)) throw error;
    output.printError(styled(output, "red", error.message));
    return exitCodes.couldNotRun;
  } finally {
    output.progress?.end();
    await suite?.close();
  }
}

function runsOf(
  suite: SuiteRuns,
  { maxRuns = Infinity, seconds = Infinity, replay }: ShakeCommandOptions,
  output: Output,
) {
  const begun = performance.now();
  return async (number: number, plan: RunPlan): Promise<SuiteRun | undefined> => {
    if (number > maxRuns || performance.now() - begun + suite.first > seconds * 1000) return undefined;
    output.progress?.reached(number, () => `run ${number}`);
    try {
      const ended = await suite.run(number, plan, replay !== undefined && number > 0);
      if (number === 0) refuseUseless(ended.records, ended.output);
      return ended;
    } catch (error) {
      if (error instanceof CentavoError) throw error;
      throw new CentavoError(
        "INVALID_OPTION",
        `centavo shake: the command of the suite cannot be run: ${messageOf(error)}.`,
        { cause: error },
      );
    }
  };
}

/** @throws {CentavoError} `INVALID_OPTION` when the first run shows nothing that can be shaken */
function refuseUseless(records: readonly TestRecord[], printed: string): void {
  const last = printed.trimEnd().split("\n").slice(-MOST_LINES).join("\n");
  const said = last === "" ? "" : `\nThe suite printed:\n${last}`;
  if (records.length === 0)
    throw new CentavoError(
      "INVALID_OPTION",
      `centavo shake: no test of this run got its simulator from withSimulator or simulated, so nothing can go wrong in it.${said}`,
    );
  if (records.every(({ outcome }) => outcome.is !== "passed"))
    throw new CentavoError(
      "INVALID_OPTION",
      `centavo shake: every test fails already when nothing goes wrong. Make them pass first.${said}`,
    );
}

function tell(
  result: ShakeResult,
  command: readonly string[],
  options: ShakeCommandOptions,
  output: Output,
  accepted: ReadonlySet<string>,
): number {
  const findings = findingsOf(result.judged);
  const isNew = ({ tests }: Finding): boolean => tests.some(({ token }) => !accepted.has(token));
  const failing = findings.filter((finding) => isNew(finding) && counts(finding, options.failOn));
  if (options.json === true) output.print(JSON.stringify({ findings, ...countsOf(result) }, null, 2));
  else {
    const replayWith = (token: string): string =>
      commandLine(["npx", "centavo", "shake", "--replay", token, "--", ...command]);
    const mark = (text: string): string => styled(output, text === "✗" ? "red" : "dim", text);
    for (const line of findingsInLines(findings, result.plain.length, { replayWith, mark, accepted }))
      output.print(line);
    for (const line of summaryInLines(result)) output.print(line);
  }
  return failing.length > 0 ? exitCodes.failed : exitCodes.passed;
}

function counts({ kind }: Finding, failOn: ShakeCommandOptions["failOn"]): boolean {
  return failOn === "tests" || (failOn === "money" && kind === "money");
}

function countsOf({ plain, judged, untried, left, runs }: ShakeResult) {
  const of = (is: string): number => judged.filter(({ judgement }) => judgement.is === is).length;
  return {
    tests: plain.length,
    runs,
    borne: of("borne"),
    noticed: of("noticed"),
    countsOnIt: of("counts on it"),
    untried: untried.length + of("untried"),
    left,
  };
}

/** @throws {CentavoError} `INVALID_OPTION` */
function wantedBy({ only, replay }: ShakeCommandOptions): (placed: PlacedTrouble, test: TestRecord) => boolean {
  for (const kind of only ?? []) {
    const complaint = unknownName("centavo shake --only", kind, kindsOfTrouble);
    if (complaint !== undefined) throw new CentavoError("INVALID_OPTION", `${complaint}.`);
  }
  const named = replay === undefined ? undefined : troubleOfToken(replay);
  return ({ trouble, point }, { test }) => {
    if (named !== undefined)
      return (
        test.key === named.test &&
        trouble.name === named.trouble &&
        point.kind === named.kind &&
        point.subject === named.subject &&
        point.occurrence === named.occurrence
      );
    return only === undefined || only.includes(kindOf(trouble));
  };
}

/** @throws {CentavoError} `INVALID_OPTION` when the file cannot be read, or has no findings */
function acceptedBy(path: string | undefined, directory: string): ReadonlySet<string> {
  if (path === undefined) return new Set();
  try {
    const { findings } = JSON.parse(readFileSync(resolve(directory, path), "utf8")) as {
      readonly findings: readonly Finding[];
    };
    return new Set(findings.flatMap(({ tests }) => tests.map(({ token }) => token)));
  } catch (cause) {
    throw new CentavoError(
      "INVALID_OPTION",
      `centavo shake --baseline ${path}: this is no result of centavo shake --json (${messageOf(cause)}).`,
      { cause },
    );
  }
}
