import { resolve } from "node:path";
import { replayCommand } from "../report/causes/commands.ts";
import { CentavoError } from "../kit/base/errors/centavo-error.ts";
import { printable } from "../kit/base/errors/printable.ts";
import { runScenario } from "../scenario/run-scenario.ts";
import type { ScenarioResult } from "../scenario/run-scenario.ts";
import type { Way } from "../scenario/ways.ts";
import type { AssumptionOverrides } from "../service/assumption-table.ts";
import { toSettings } from "../simulator/simulator-options.ts";
import { assumptionsIn } from "./assumptions-file.ts";
import { describe, indented } from "./described.ts";
import { digestProblem, readDigests, writeDigests } from "./digests.ts";
import type { Digests } from "./digests.ts";
import type { ExitCode } from "./exit-codes.ts";
import { rerunCommand } from "./rerun-command.ts";
import { styled } from "./output.ts";
import type { Output } from "./output.ts";
import type { ReportedRun } from "../report/reported-run.ts";
import { writeReport } from "./write-report.ts";
import { makeRecordingFolder, recordingPaths, writeRecording } from "./recordings.ts";
import { withoutStandstill } from "./standstill.ts";
import { withRejectionsCaught } from "./unhandled-rejections.ts";
import { findStories } from "./story-files.ts";
import type { BrokenFile, FoundStories, FoundStory } from "./story-files.ts";

/** The options of `centavo run`. */
export interface RunOptions {
  readonly way?: Way;
  /** Replaces the stories' own seeds. Digests are then not checked, because they differ. */
  readonly seed?: string;
  /** A JSON file of assumptions. They apply unless a story sets its own. Digests are then not checked. */
  readonly assumptions?: string;
  /** Prints only failed stories and the summary. */
  readonly quiet?: boolean;
  /** The file of digests to check the stories against. */
  readonly digests?: string;
  /** Writes that file instead of checking it. */
  readonly updateDigests?: boolean;
  /** The folder for the stories' recordings. */
  readonly record?: string;
  /** The file for an HTML report of the stories. */
  readonly report?: string;
  /** Seconds of real time without any call or clock move after which a story fails; 30 by default. */
  readonly timeout?: number;
}

const DEFAULT_TIMEOUT = 30;

const LAST_LINES = 20;

/**
 * Runs stories one by one and prints each as a timeline.
 * @param wanted files, folders and names, as in `findStories`
 * @returns the process's exit code: 0 if all stories passed, 1 if one failed or could not be loaded, 2 if none could be run
 */
export async function run(
  wanted: readonly string[],
  options: RunOptions,
  output: Output,
  directory: string,
): Promise<ExitCode> {
  let found: FoundStories;
  let assumptions: AssumptionOverrides | undefined;
  try {
    refuseContradictions(options);
    if (options.assumptions !== undefined) assumptions = assumptionsIn(options.assumptions, directory);
    found = await findStories(wanted, directory);
    if (options.record !== undefined) makeRecordingFolder(options.record, directory);
  } catch (error) {
    if (!(error instanceof CentavoError)) throw error;
    output.print(styled(output, "red", error.message));
    return 2;
  }
  const { stories, skipped, broken } = found;
  for (const path of skipped)
    output.print(
      styled(
        output,
        "dim",
        `Skipped ${path}: it exports no story. Export one as the default, made with scenario(title, script).`,
      ),
    );
  for (const { path, error } of broken)
    output.print(`${styled(output, "red", `${path} could not be loaded:`)}\n${indented(describe(error))}\n`);
  if (options.digests !== undefined && options.seed !== undefined) {
    output.print(
      "The digests are not checked, because they belong to the stories' own seeds and --seed replaces those.",
    );
  } else if (options.digests !== undefined && assumptions !== undefined) {
    output.print("The digests are not checked, because they belong to the stories without --assumptions.");
  }
  const digestsPath = options.digests === undefined ? undefined : resolve(directory, options.digests);
  const kept = digestsPath === undefined ? {} : readDigests(digestsPath);
  const renewed: Record<string, string> = { ...kept };
  const failures: FoundStory[] = [];
  const reported: ReportedRun[] = [];
  const { progress } = output;
  const recordings = options.record === undefined ? [] : recordingPaths(options.record, stories);
  for (const [index, story] of stories.entries()) {
    progress?.begin(story.name);
    const result = await withRejectionsCaught(
      runScenario(story.scenario, {
        wait: (work, sim) => withoutStandstill(work, sim, 1000 * (options.timeout ?? DEFAULT_TIMEOUT)),
        ...(progress !== undefined && { onMove: (now: string) => progress.moved(now) }),
        ...(options.way !== undefined && { way: options.way }),
        simulator: {
          ...(options.seed !== undefined && { seed: options.seed }),
          ...(assumptions !== undefined && { assumptions: { ...assumptions, ...ownAssumptions(story) } }),
          ...((options.record !== undefined || options.report !== undefined) && { recording: true }),
        },
      }),
    );
    progress?.end();
    const recorded = recordings[index];
    if (recorded !== undefined) writeRecording(resolve(directory, recorded), result.recording());
    const problem = problemOf(story, result, options, kept);
    renewed[story.name] = result.digest;
    if (options.report !== undefined)
      reported.push(
        await result.reported({
          replay: rerunCommand(story, options),
          ...(result.passed && problem !== undefined ? { outcome: "failed", error: problem } : {}),
        }),
      );
    if (problem === undefined) printPassed(story, result, options, output);
    else {
      failures.push(story);
      printFailed(story, result, problem, options, output);
      if (recorded !== undefined) output.print(`  Replay what happened with: ${replayCommand(recorded)}\n`);
    }
  }
  if (digestsPath !== undefined && options.updateDigests === true && failures.length + broken.length === 0) {
    writeDigests(digestsPath, renewed);
    output.print(`Wrote ${options.digests}.`);
  }
  const isWritten = options.report === undefined || writeReport(reported, options.report, output, directory);
  printSummary(stories.length, failures, broken, output);
  if (!isWritten) return 2;
  return failures.length + broken.length === 0 ? 0 : 1;
}

/** @throws {CentavoError} `INVALID_OPTION` */
function refuseContradictions({ digests, seed, assumptions, updateDigests }: RunOptions): void {
  if (updateDigests !== true) return;
  if (digests === undefined) {
    throw new CentavoError("INVALID_OPTION", "--update-digests needs a file to write: name it with --digests <file>.");
  }
  if (seed !== undefined) {
    throw new CentavoError(
      "INVALID_OPTION",
      "--seed and --update-digests exclude each other: the file holds the digests of the stories' own seeds. Leave one of them out.",
    );
  }
  if (assumptions !== undefined) {
    throw new CentavoError(
      "INVALID_OPTION",
      "--assumptions and --update-digests exclude each other: the file holds the digests of the stories as they are. Leave one of them out.",
    );
  }
}

/** Returns the assumptions that a story sets itself, including those from a file. */
function ownAssumptions({ scenario }: FoundStory): AssumptionOverrides {
  const { assumptions = {} } = scenario.options;
  return toSettings({ assumptions }).assumptions;
}

function problemOf(
  { name }: FoundStory,
  result: ScenarioResult,
  options: RunOptions,
  kept: Digests,
): string | undefined {
  if (!result.passed) {
    const message = describe(result.error);
    return result.cause === undefined ? message : `${message}\n\n${result.cause}`;
  }
  const { digests, seed, assumptions, updateDigests } = options;
  const isOtherRun = seed !== undefined || assumptions !== undefined || updateDigests === true;
  return digests === undefined || isOtherRun ? undefined : digestProblem(name, result.digest, kept);
}

function printPassed(
  { name }: FoundStory,
  { title, timeline, digest }: ScenarioResult,
  { quiet }: RunOptions,
  output: Output,
): void {
  if (quiet === true) return;
  output.print(`${styled(output, "bold", name)}: ${printable(title)}\n`);
  output.print(`${indented(timeline)}\n`);
  output.print(`  ${styled(output, "green", "passed")} ${styled(output, "dim", `digest ${digest.slice(0, 12)}`)}\n`);
}

function printFailed(
  story: FoundStory,
  { title, timeline }: ScenarioResult,
  problem: string,
  options: RunOptions,
  output: Output,
): void {
  output.print(`${styled(output, "bold", story.name)}: ${printable(title)}\n`);
  const lines = timeline.split("\n");
  const left = options.quiet === true ? Math.max(0, lines.length - LAST_LINES) : 0;
  if (left > 0) output.print(`  … ${left} earlier lines are left out`);
  output.print(`${indented(lines.slice(left).join("\n"))}\n`);
  output.print(`  ${styled(output, "red", "failed")} in ${printable(story.path)}\n`);
  output.print(`${indented(problem)}\n`);
  output.print(`  Replay it with: ${rerunCommand(story, options)}\n`);
}

function printSummary(
  count: number,
  failures: readonly FoundStory[],
  broken: readonly BrokenFile[],
  output: Output,
): void {
  const passed = `${count - failures.length} of ${count} ${count === 1 ? "story" : "stories"} passed`;
  const failed = failures.length === 0 ? "" : `; failed: ${failures.map(({ name }) => name).join(", ")}`;
  const unread = broken.length === 0 ? "" : `; not loaded: ${broken.map(({ path }) => path).join(", ")}`;
  output.print(styled(output, failed + unread === "" ? "green" : "red", passed + failed + unread));
}
