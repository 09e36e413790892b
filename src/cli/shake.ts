import { statSync } from "node:fs";
import { resolve } from "node:path";
import { CentavoError } from "../kit/base/errors/centavo-error.ts";
import { unknownName } from "../kit/base/errors/known-names.ts";
import { messageOf } from "../kit/base/errors/thrown-values.ts";
import { removeFile } from "../kit/base/runtime/files.ts";
import { blindSpotsInLines, findingsInLines, summaryInLines } from "../shake/in-words.ts";
import { reportedShake } from "../shake/reported-shake.ts";
import { shake } from "../shake/shake.ts";
import type { ShakeOptions, SuiteRun } from "../shake/shake.ts";
import { troubleOfToken } from "../shake/token.ts";
import { kindOf, troublesOfShake } from "../shake/troubles-of-shake.ts";
import { kindsOfTrouble } from "../troubles/in-shake.ts";
import type { RunPlan } from "../testing/shake/run-folder.ts";
import type { ReportedFinding, ReportedShake } from "../report/reported-shake.ts";
import { exitCodes } from "./exit-codes.ts";
import type { ExitCode } from "./exit-codes.ts";
import { acceptedIn } from "./json-file.ts";
import { besideJson, jsonDocument, jsonOfError } from "./json-output.ts";
import { styled } from "./output.ts";
import type { Output } from "./output.ts";
import { checkFirstRun, firstRunCut, refuseWatching, refuseWindows } from "./first-run.ts";
import { refuseNothingTried } from "./nothing-tried.ts";
import { ShakeProgress } from "./shake-progress.ts";
import { SuiteRuns } from "./suite-runs.ts";
import { writeFile } from "./write-file.ts";

export interface ShakeCommandOptions {
  readonly only?: readonly string[];
  readonly maxRuns?: number;
  readonly seconds?: number;
  readonly jobs?: number;
  readonly replay?: string;
  readonly baseline?: string;
  readonly blindSpots?: boolean;
  readonly failOn: "money" | "tests" | "blind-spots" | "never";
  readonly json?: boolean;
  readonly html?: string;
}

/**
 * Shakes a suite, and prints the findings.
 * @param stopped resolves with the number of the next signal that asks the command to stop
 * @returns the exit code of the process
 */
export async function shakeSuite(
  command: readonly string[],
  options: ShakeCommandOptions,
  output: Output,
  directory: string,
  stopped: () => Promise<number>,
): Promise<number> {
  let suite: SuiteRuns | undefined;
  const progress = new ShakeProgress(output, options);
  try {
    refuseStrayKind(command, options);
    const isWanted = wantedBy(options);
    const { baseline } = options;
    const accepted = baseline === undefined ? new Set<string>() : acceptedIn(baseline, directory);
    refuseWindows();
    refuseWatching(command);
    const page = options.html === undefined ? undefined : await preparedPage(options.html, directory);
    suite = new SuiteRuns(command, directory, {
      milliseconds: (options.seconds ?? Infinity) * 1000,
      withRecordings: page !== undefined,
    });
    const runs = suite;
    const shaking = shake({
      run: runsOf(runs, command, options, progress),
      isWanted,
      blindSpots: asksForBlindSpots(options),
      ...(options.jobs === undefined ? {} : { jobs: options.jobs }),
      ...(page === undefined ? {} : { onTried: page.forgetBorneRuns }),
      onPlan: (needed) => progress.planned(needed, options.replay === undefined),
    });
    const result = await Promise.race([shaking, stopped()]);
    if (typeof result === "number") {
      // Whoever asks again does not wait.
      void stopped().then(() => runs.kill());
      return 128 + result;
    }
    progress.end();
    if (result === undefined) return exitCodes.couldNotRun;
    refuseNothingTried(result, options);
    const told = reportedShake(result, { command, accepted, firstCode: runs.firstCode });
    const document =
      page === undefined ? undefined : await Promise.race([page.pageOfShake(told, result.judged), stopped()]);
    if (typeof document === "number") return 128 + document;
    const { html = "" } = options;
    const problem = document === undefined ? undefined : writeFile("page", html, document, directory);
    const code = problem === undefined ? codeOf(told, options) : exitCodes.couldNotRun;
    tell(told, code, { ...options, problem }, output);
    return code;
  } catch (error) {
    if (!(error instanceof CentavoError)) throw error;
    if (options.json === true) output.print(jsonOfError(error));
    else output.printError(styled(output, "red", error.message));
    return exitCodes.couldNotRun;
  } finally {
    progress.end();
    await suite?.close();
  }
}

function runsOf(
  suite: SuiteRuns,
  command: readonly string[],
  { maxRuns = Infinity, seconds, replay }: ShakeCommandOptions,
  progress: ShakeProgress,
) {
  return async (number: number, plan: RunPlan): Promise<SuiteRun | undefined> => {
    if (number > maxRuns || !suite.hasTime) return undefined;
    progress.reached(number);
    try {
      // A run after that of the trouble is made only to judge it.
      const ended = await suite.run(number, plan, replay !== undefined && number === 1);
      if (number > 0) return ended;
      if (ended === undefined) throw firstRunCut(seconds);
      checkFirstRun(ended, command);
      return ended;
    } catch (error) {
      if (error instanceof CentavoError) throw error;
      throw new CentavoError(
        "INVALID_OPTION",
        `centavo shake: the command of the suite cannot be run: ${whyNotStarted(error, command)}.`,
        { cause: error },
      );
    }
  };
}

/**
 * Loads what writes the page, and removes that of an earlier shake, which must not pass for one of this shake.
 * @throws {CentavoError} `INVALID_OPTION` when the path is that of a folder
 */
async function preparedPage(path: string, directory: string): Promise<typeof import("./shake-page.ts")> {
  const file = resolve(directory, path);
  if (statSync(file, { throwIfNoEntry: false })?.isDirectory() === true)
    throw new CentavoError(
      "INVALID_OPTION",
      `centavo shake --html takes a file, and ${path} is a folder. Name a file in it.`,
    );
  removeFile(file);
  return import("./shake-page.ts");
}

function whyNotStarted(error: unknown, [program = ""]: readonly string[]): string {
  const isMissing = error instanceof Error && "code" in error && error.code === "ENOENT";
  if (!isMissing) return messageOf(error);
  if (program.includes("/")) return `there is no program ${program}`;
  return `there is no program ${program} on the PATH; a program of a package is run as npx ${program}`;
}

/** @throws {CentavoError} `INVALID_OPTION` when a list of kinds has a space, so that its end is taken for the command of the suite */
function refuseStrayKind([word, ...others]: readonly string[], { only }: ShakeCommandOptions): void {
  if (!kindsOfTrouble.some((kind) => kind === word) || (only === undefined && !others.includes("--"))) return;
  throw new CentavoError(
    "INVALID_OPTION",
    `centavo shake: ${word} is a kind of trouble, and no command. Write it behind --only without a space, such as --only lost-answers,events-twice.`,
  );
}

function codeOf({ findings, blindSpots }: ReportedShake, { failOn }: ShakeCommandOptions): ExitCode {
  const isBlind = failOn === "blind-spots" && blindSpots?.open.some(({ isAccepted }) => !isAccepted) === true;
  const isFailed = isBlind || findings.some((finding) => !finding.isAccepted && counts(finding, failOn));
  return isFailed ? exitCodes.failed : exitCodes.passed;
}

/** @param telling.problem why the page cannot be written */
function tell(
  told: ReportedShake,
  code: ExitCode,
  { json = false, html, problem }: ShakeCommandOptions & { readonly problem: string | undefined },
  output: Output,
): void {
  if (json) output.print(jsonDocument(code, { ...told, html: problem === undefined ? html : undefined, problem }));
  else {
    const mark = (text: string): string => styled(output, text === "✗" ? "red" : "dim", text);
    for (const line of [...findingsInLines(told), ...blindSpotsInLines(told), ...summaryInLines(told)])
      output.print(line.replace(/^[✗○]/, mark));
  }
  const beside = besideJson(output, json);
  if (problem !== undefined) beside.print(styled(beside, "red", problem));
  else if (html !== undefined) beside.print(`Wrote the page ${html}.`);
}

function counts({ kind }: ReportedFinding, failOn: ShakeCommandOptions["failOn"]): boolean {
  return failOn === "tests" || failOn === "blind-spots" || (failOn === "money" && kind === "money");
}

function isOfBlindSpots(name: string): boolean {
  return troublesOfShake.some((trouble) => trouble.name === name && "blindSpot" in trouble.inShake);
}

/** Whether the service also has to say something else than it knows. */
function asksForBlindSpots({ blindSpots = false, failOn, only = [], replay }: ShakeCommandOptions): boolean {
  if (replay !== undefined) return isOfBlindSpots(troubleOfToken(replay).trouble);
  return blindSpots || failOn === "blind-spots" || only.includes("blind-spots");
}

/** @throws {CentavoError} `INVALID_OPTION` */
function wantedBy({ only, replay, ...options }: ShakeCommandOptions): NonNullable<ShakeOptions["isWanted"]> {
  for (const kind of only ?? []) {
    const complaint = unknownName("centavo shake --only", kind, kindsOfTrouble);
    if (complaint !== undefined) throw new CentavoError("INVALID_OPTION", `${complaint}.`);
  }
  const seeksBlindSpots = asksForBlindSpots({ ...options, ...(only === undefined ? {} : { only }) });
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
    const isBlindSpot = "blindSpot" in trouble.inShake && trouble.inShake.blindSpot?.(point) !== undefined;
    return only === undefined || only.includes(kindOf(trouble)) || (seeksBlindSpots && isBlindSpot);
  };
}
