import { statSync } from "node:fs";
import { resolve } from "node:path";
import { CentavoError } from "../kit/base/errors/centavo-error.ts";
import { messageOf } from "../kit/base/errors/thrown-values.ts";
import { removeFile } from "../kit/base/runtime/files.ts";
import { variationOfToken } from "../shake/token.ts";
import type { SuiteRun } from "../shake/turns.ts";
import { variedIds } from "../shake/variations.ts";
import { kindsOfTrouble } from "../troubles/in-shake.ts";
import type { RunPlan } from "../testing/shake/run-folder.ts";
import { exitCodes } from "./exit-codes.ts";
import { acceptedIn } from "./json-file.ts";
import { besideJson, jsonDocument, jsonOfError } from "./json-output.ts";
import { styled } from "./output.ts";
import type { Output } from "./output.ts";
import { checkFirstRun, firstRunCut, refuseWatching, refuseWindows } from "./first-run.ts";
import { ShakeProgress } from "./shake-progress.ts";
import { shakeWithTroubles } from "./shake-troubles.ts";
import { shakeUnderOtherAnswers } from "./shake-variations.ts";
import { SuiteRuns } from "./suite-runs.ts";
import type { ShakenSuite } from "./way-to-shake.ts";
import { writeFile } from "./write-file.ts";

export interface ShakeCommandOptions {
  readonly only?: readonly string[];
  readonly maxRuns?: number;
  readonly seconds?: number;
  readonly jobs?: number;
  readonly replay?: string;
  readonly baseline?: string;
  readonly blindSpots?: boolean;
  readonly vary?: boolean;
  readonly failOn?: "money" | "tests" | "blind-spots" | "reliances" | "never";
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
    refuseStrayName(command, options);
    const isVaried = options.vary === true || variationOfToken(options.replay ?? "") !== undefined;
    const way = isVaried ? shakeUnderOtherAnswers(options) : shakeWithTroubles(options);
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
    const turns = {
      run: runsOf(runs, command, options, progress),
      jobs: options.jobs,
      onPlan: (needed: number) => progress.planned(needed, options.replay === undefined),
    };
    const result = await Promise.race([way(turns, page), stopped()]);
    if (typeof result === "number") {
      // Whoever asks again does not wait.
      void stopped().then(() => runs.kill());
      return 128 + result;
    }
    progress.end();
    if (result === undefined) return exitCodes.couldNotRun;
    const shaken = result({ command, accepted, firstCode: runs.firstCode });
    const document = shaken.page && (await Promise.race([shaken.page(), stopped()]));
    if (typeof document === "number") return 128 + document;
    const { html = "" } = options;
    const problem = document === undefined ? undefined : writeFile("page", html, document, directory);
    const failed = shaken.isFailed ? exitCodes.failed : exitCodes.passed;
    const code = problem === undefined ? failed : exitCodes.couldNotRun;
    tell(shaken, code, { ...options, problem }, output);
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

/** @throws {CentavoError} `INVALID_OPTION` when the list of --only has a space, so that its end is taken for the command of the suite */
function refuseStrayName([word = "", ...others]: readonly string[], { only }: ShakeCommandOptions): void {
  const isKind = kindsOfTrouble.some((kind) => kind === word);
  if (!isKind && !variedIds.includes(word)) return;
  if (only === undefined && !others.includes("--")) return;
  const [what, example] = isKind
    ? ["a kind of trouble", "lost-answers,events-twice"]
    : ["an assumption", "http.error-status,http.envelope"];
  throw new CentavoError(
    "INVALID_OPTION",
    `centavo shake: ${word} is ${what}, and no command. Write it behind --only without a space, such as --only ${example}.`,
  );
}

/** @param telling.problem why the page cannot be written */
function tell(
  { told, lines }: ShakenSuite,
  code: number,
  { json = false, html, problem }: ShakeCommandOptions & { readonly problem: string | undefined },
  output: Output,
): void {
  if (json) output.print(jsonDocument(code, { ...told, html: problem === undefined ? html : undefined, problem }));
  else {
    const mark = (text: string): string => styled(output, text === "✗" ? "red" : "dim", text);
    for (const line of lines) output.print(line.replace(/^[✗○]/, mark));
  }
  const beside = besideJson(output, json);
  if (problem !== undefined) beside.print(styled(beside, "red", problem));
  else if (html !== undefined) beside.print(`Wrote the page ${html}.`);
}
