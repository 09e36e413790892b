import { randomBytes } from "node:crypto";
import { url as inspectorUrl } from "node:inspector";
import { CentavoError } from "../kit/base/errors/centavo-error.ts";
import type { Way } from "../scenario/ways.ts";
import { assumptionsIn } from "./assumptions-file.ts";
import { digestsAsText, readDigests, refuseSharedNames } from "./digests.ts";
import type { Digests } from "./digests.ts";
import { exitCodes } from "./exit-codes.ts";
import { styled } from "./output.ts";
import type { Output } from "./output.ts";
import type { FilesWatch, PlayResult, StoryProcesses } from "./play-files.ts";
import type { ProgressLine } from "./progress-line.ts";
import { makeRecordingFolder, recordingPaths } from "./recordings.ts";
import { refuseMeaningless } from "./merchant-options.ts";
import type { MerchantOptions } from "./merchant-options.ts";
import { RunResults } from "./run-results.ts";
import { chooseFiles, fileNameOf, noStoryIn } from "./story-files.ts";
import type { ChosenFile, ListedStory } from "./story-files.ts";
import type { PlayOptions } from "./story-messages.ts";
import { printResult } from "./story-printer.ts";
import { writeFile } from "./write-file.ts";

/** The options of `centavo run`. */
export interface RunOptions extends MerchantOptions {
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
  /** Prints one JSON document instead of timelines. */
  readonly json?: boolean;
  /** The file for the results in JUnit's format. */
  readonly junit?: string;
  /** Seconds of real time without any call or clock move after which a story fails; 30 by default. */
  readonly timeout?: number;
}

const DEFAULT_TIMEOUT = 30;
/** The longest that a timer waits, in milliseconds. */
const LONGEST_PATIENCE = 2 ** 31 - 1;

/** Where stories have their recordings, by file and name. */
type Recordings = ReadonlyMap<string, string>;

/**
 * Plays stories, each file in a process of its own, and prints each as a timeline.
 * @param wanted files, folders and names, as in `chooseFiles`
 * @param stopped waits for a signal that ends the command, and returns its number. The first one interrupts the stories under way, the
 *   second one ends their processes.
 * @returns the process's exit code
 */
export async function run(
  wanted: readonly string[],
  options: RunOptions,
  output: Output,
  directory: string,
  stopped: () => Promise<number>,
): Promise<number> {
  const results = new RunResults();
  const shown: Output =
    options.json === true
      ? { print: () => undefined, printError: (text) => output.printError(text), colours: false }
      : output;
  try {
    await play(wanted, options, shown, directory, stopped, results);
  } catch (error) {
    if (!(error instanceof CentavoError)) throw error;
    results.problem ??= error.message;
    shown.print(styled(shown, "red", error.message));
  }
  const { uncalled } = results;
  if (uncalled !== undefined) shown.print(styled(shown, "red", uncalled));
  await writeFiles(results, options, shown, directory);
  const { exitCode } = results;
  if (options.json === true) output.print(JSON.stringify(results, undefined, 2));
  else if (results.stories.length + results.notLoaded.length + results.notPlayed.length > 0)
    shown.print(styled(shown, exitCode === 0 ? "green" : "red", String(results)));
  return exitCode;
}

/** @throws {CentavoError} when nothing can be played */
async function play(
  wanted: readonly string[],
  given: RunOptions,
  output: Output,
  directory: string,
  stopped: () => Promise<number>,
  results: RunResults,
): Promise<void> {
  const options = withSeedOfItsOwn(given);
  const { digests, updateDigests, record } = options;
  refuseMeaningless(given);
  refuseContradictions(options);
  // Only such a run needs a simulator in this process.
  const running = given.merchant === undefined ? undefined : await import("./run-merchant.ts");
  const merchant = await running?.merchantOf({ ...options, merchant: given.merchant ?? "" }, directory);
  if (running !== undefined && merchant !== undefined) {
    results.merchant = merchant;
    const values = options.assumptions === undefined ? {} : assumptionsIn(options.assumptions, directory);
    const words = running.configurationInWords(merchant, options.seed ?? "", values);
    // Whoever waits for the document may have to configure the merchant first.
    if (options.json === true) output.printError(words);
    else output.print(words);
  }
  const kept = digests === undefined ? undefined : readDigests(digests, directory);
  const playOptions = { ...playOptionsOf(options, kept, directory), ...(merchant !== undefined && { merchant }) };
  if (record !== undefined) makeRecordingFolder(record, directory);
  // Each process of stories begins with this module, so that the build keeps it apart from what only the command needs.
  const playFiles = await import("./play-files.ts");
  const processes = new playFiles.StoryProcesses(directory, playOptions, shownOn(output.progress));
  const listen = async (): Promise<void> => {
    results.signal = await stopped();
    processes.stop();
    await stopped();
    processes.stop();
  };
  void listen();
  const files = await chooseFiles(wanted, directory, async (paths) => processes.list(paths));
  const unchecked = whyUnchecked(options);
  if (unchecked !== undefined) output.print(unchecked);
  else if (digests !== undefined) refuseSharedNames(await storiesOf(files.filter(hasTwin), processes));
  const recordings = record === undefined ? new Map() : await recordingsOf(files, record, processes);
  if (running !== undefined && merchant !== undefined)
    await running.untilListening(merchant, options.wait ?? 0, () => results.signal !== undefined);
  await processes.play(files, (result) => {
    output.progress?.end();
    results.add(result);
    printResult(result, options, recorded(result, recordings, directory, results, output), output);
  });
  const { withoutStory, stories, exitCode } = results;
  if (withoutStory.length > 0 || (stories.length === 0 && exitCode === exitCodes.passed))
    throw new CentavoError("NOT_FOUND", noStoryIn(withoutStory.length > 0 ? withoutStory : wanted));
  if (digests !== undefined && updateDigests === true && exitCode === exitCodes.passed) {
    const renewed = Object.fromEntries(stories.map(({ name, digest = "" }) => [name, digest]));
    const problem = writeFile("digests", digests, digestsAsText({ ...kept, ...renewed }), directory);
    if (!notedProblem(problem, results, output)) output.print(`Wrote ${digests}.`);
  }
}

/** Draws a seed for a run against a merchant that goes on, which would take the events of an earlier run for duplicates. */
function withSeedOfItsOwn(options: RunOptions): RunOptions {
  return options.merchant === undefined ? options : { seed: randomBytes(6).toString("hex"), ...options };
}

function playOptionsOf(options: RunOptions, kept: Digests | undefined, directory: string): PlayOptions {
  const { way, seed, assumptions, updateDigests, record, report, timeout = DEFAULT_TIMEOUT } = options;
  const isChecked = kept !== undefined && updateDigests !== true && whyUnchecked(options) === undefined;
  return {
    // Whoever debugs a story may take all day.
    patience: inspectorUrl() === undefined ? Math.min(1000 * timeout, LONGEST_PATIENCE) : LONGEST_PATIENCE,
    isRecorded: record !== undefined,
    isReported: report !== undefined,
    rerun: options,
    ...(way !== undefined && { way }),
    ...(seed !== undefined && { seed }),
    ...(assumptions !== undefined && { assumptions: assumptionsIn(assumptions, directory) }),
    ...(isChecked && { kept }),
  };
}

function whyUnchecked({ digests, seed, assumptions }: RunOptions): string | undefined {
  if (digests === undefined) return undefined;
  if (seed !== undefined)
    return "The digests are not checked, because they belong to the stories' own seeds and --seed replaces those.";
  return assumptions === undefined
    ? undefined
    : "The digests are not checked, because they belong to the stories without --assumptions.";
}

/** Shows one of the stories under way. */
function shownOn(progress: ProgressLine | undefined): FilesWatch {
  let shown: string | undefined;
  if (progress === undefined) return {};
  return {
    onMove: (story, timers, moment) => {
      if (shown === undefined) progress.begin(story);
      shown ??= story;
      if (shown === story) progress.reached(timers, () => moment.slice(0, 16).replace("T", " "));
    },
    onEnd: (story) => {
      if (shown !== story) return;
      progress.end();
      shown = undefined;
    },
  };
}

/** Whether another file has the same name, so that their stories may share names. */
function hasTwin({ path }: ChosenFile, _: number, files: readonly ChosenFile[]): boolean {
  return files.some((other) => other.path !== path && fileNameOf(other.path) === fileNameOf(path));
}

/** Loads files, and returns the stories to play. */
async function storiesOf(files: readonly ChosenFile[], processes: StoryProcesses): Promise<readonly ListedStory[]> {
  const { stories } = await processes.list(files.map(({ path }) => path));
  return files.flatMap(({ path, names }) =>
    stories.filter((story) => story.path === path && (names?.includes(story.name) ?? true)),
  );
}

/** Loads the files once more before: stories of one name have their recordings in different folders. */
async function recordingsOf(
  files: readonly ChosenFile[],
  folder: string,
  processes: StoryProcesses,
): Promise<Recordings> {
  const stories = await storiesOf(files, processes);
  const paths = recordingPaths(folder, stories);
  return new Map(stories.map((story, index) => [keyOf(story), paths[index] ?? ""]));
}

/** Writes the recording of a story, and returns its path. */
function recorded(
  result: PlayResult,
  recordings: Recordings,
  directory: string,
  results: RunResults,
  output: Output,
): string | undefined {
  if (result.kind !== "story" || result.story.recording === undefined) return undefined;
  const path = recordings.get(keyOf(result.story)) ?? "";
  const problem = writeFile("recording", path, result.story.recording, directory);
  return notedProblem(problem, results, output) ? undefined : path;
}

/** Prints and keeps that a file cannot be written. Returns whether there is such a problem. */
function notedProblem(problem: string | undefined, results: RunResults, output: Output): boolean {
  if (problem === undefined) return false;
  results.notWritten.push(problem);
  output.print(styled(output, "red", problem));
  return true;
}

function keyOf({ path, name }: ListedStory): string {
  return `${path}/${name}`;
}

/** Writes the files that the options ask for. */
async function writeFiles(
  results: RunResults,
  { report, junit }: RunOptions,
  output: Output,
  directory: string,
): Promise<void> {
  if (junit !== undefined) notedProblem(writeFile("results", junit, results.toJUnit(), directory), results, output);
  if (report === undefined || results.stories.length === 0) return;
  const { documentOf } = await import("../report/document.ts");
  const runs = results.stories.flatMap((story) => story.report ?? []);
  const isWritten = !notedProblem(writeFile("report", report, documentOf(runs), directory), results, output);
  if (isWritten) output.print(`Wrote the report ${report}.`);
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
