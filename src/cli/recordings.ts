import { mkdirSync, readdirSync, readFileSync, statSync } from "node:fs";
import { basename, dirname, join, resolve } from "node:path";
import { CentavoError } from "../kit/base/errors/centavo-error.ts";
import type { CentavoErrorCode } from "../kit/base/errors/centavo-error.ts";
import { nearest } from "../kit/base/errors/nearest.ts";
import { messageOf } from "../kit/base/errors/thrown-values.ts";
import { readRecording } from "../simulator/payment-recording.ts";
import type { Recording } from "../simulator/payment-recording.ts";
import { Story } from "../scenario/story.ts";
import { createSimulator } from "../report/create-simulator.ts";
import { playAgain } from "../report/playback.ts";
import type { Playback } from "../report/playback.ts";
import { runOf, writeReport } from "./write-report.ts";
import { exitCodes } from "./exit-codes.ts";
import { besideJson, jsonDocument } from "./json-output.ts";
import { styled } from "./output.ts";
import type { Output } from "./output.ts";
import type { ListedStory } from "./story-files.ts";

/**
 * Returns the path of each story's recording, in order: the folder and the story's name. Stories with the same name get their subfolders as
 * well.
 */
export function recordingPaths(folder: string, stories: readonly ListedStory[]): string[] {
  const names = stories.map(({ name }) => name.replaceAll("/", "-"));
  const taken = new Set<string>();
  return stories.map(({ path }, index) => {
    const name = names[index] ?? "";
    const isAlone = names.filter((other) => isSame(other, name)).length === 1;
    const own = isAlone ? name : join(dirname(path).replaceAll(/^(\.\.[\\/])+|^\.\.$/g, ""), name);
    let free = own;
    for (let number = 2; taken.has(free.toLowerCase()); number += 1) free = `${own}-${number}`;
    taken.add(free.toLowerCase());
    return join(folder, `${free}.json`);
  });
}

/** @throws {CentavoError} `INVALID_OPTION` when the folder cannot be created */
export function makeRecordingFolder(folder: string, directory: string): void {
  try {
    mkdirSync(resolve(directory, folder), { recursive: true });
  } catch (error) {
    const why = messageOf(error);
    const isFile = statSync(resolve(directory, folder), { throwIfNoEntry: false })?.isFile() === true;
    throw new CentavoError(
      "INVALID_OPTION",
      `--record takes a folder, and ${folder} ${isFile ? "is a file" : `cannot be created: ${why}`}. Name another one.`,
    );
  }
}

/** How a recording is told. */
interface Telling {
  /** Prints one JSON document instead of words. */
  readonly json?: boolean;
}

/**
 * Replays a recording and prints its timeline, to the end or to where the run diverges.
 * @returns the process's exit code: 0 if the run is the same, 1 if it diverges, 2 if the recording cannot be read
 */
export function replayFile(
  path: string,
  { quiet = false, json = false, report }: Telling & { readonly quiet?: boolean; readonly report?: string },
  output: Output,
  directory: string,
): Promise<0 | 1 | 2> {
  return playFile(path, { report, json }, output, directory, ({ sim, problem }, { shortened, digest }) => {
    const timeline = new Story({ clock: sim.clock, journal: sim.internals.parts.engine.journal }).toString();
    if (json) return { digest, timeline, leftOutInputs: shortened?.inputs ?? 0 };
    if (!quiet) output.print(`${timeline}\n`);
    if (shortened !== undefined) {
      const { inputs } = shortened;
      output.print(`the recording is shortened: it leaves out ${inputs} earlier ${inputs === 1 ? "input" : "inputs"}`);
    }
    if (problem === undefined) output.print(styled(output, "green", `the same run, digest ${digest.slice(0, 12)}`));
    return {};
  });
}

/**
 * Writes the report of a recording: where `out` says, by default beside the recording.
 * @returns the process's exit code: 0 if it is written, 1 if the run diverges, 2 if the recording cannot be read or the report cannot be
 * written
 */
export function reportFile(
  path: string,
  { out, json = false }: Telling & { readonly out?: string },
  output: Output,
  directory: string,
): Promise<0 | 1 | 2> {
  const report = out ?? `${path.replace(/\.json$/, "")}.html`;
  return playFile(path, { report, json }, output, directory, () => ({}));
}

/** @param tell prints what came of the run, and returns what its document says of it */
async function playFile(
  path: string,
  { report, json }: { readonly report: string | undefined; readonly json: boolean },
  output: Output,
  directory: string,
  tell: (played: Playback, recording: Recording) => object,
): Promise<0 | 1 | 2> {
  const beside = besideJson(output, json);
  let recording: Recording;
  try {
    recording = readRecording(JSON.parse(textOf(path, directory)));
  } catch (error) {
    const why = `${path} cannot be replayed: ${messageOf(error)}`;
    const { couldNotRun } = exitCodes;
    output.print(json ? jsonDocument(couldNotRun, { problem: why, code: codeOf(error) }) : styled(output, "red", why));
    return couldNotRun;
  }
  const { progress } = output;
  progress?.begin(basename(path), "messages");
  const played = await playAgain(recording, createSimulator, (messages, now) => progress?.reached(messages, now));
  progress?.end();
  const { problem } = played;
  const told = tell(played, recording);
  if (problem !== undefined && !json) output.print(styled(output, "red", problem));
  const isWritten = report === undefined || writeReport([await runOf(played, path)], report, beside, directory);
  const code = isWritten ? (problem === undefined ? exitCodes.passed : exitCodes.failed) : exitCodes.couldNotRun;
  if (json)
    output.print(jsonDocument(code, { recording: path, problem, ...told, report: isWritten ? report : undefined }));
  return code;
}

/** The code of an error of Centavo's. Text that is no JSON is no recording either. */
function codeOf(error: unknown): CentavoErrorCode {
  return error instanceof CentavoError ? error.code : "INVALID_RECORDING";
}

/** @throws {CentavoError} `NOT_FOUND` when the file does not exist, naming the nearest one */
function textOf(path: string, directory: string): string {
  const file = resolve(directory, path);
  const found = statSync(file, { throwIfNoEntry: false });
  if (found?.isDirectory() === true) {
    const files = jsonFilesIn(file);
    const inside = files.length === 0 ? "It holds no recording" : `It holds ${files.slice(0, 5).join(", ")}`;
    throw new CentavoError("NOT_FOUND", `it is a folder; name one recording. ${inside}.`);
  }
  if (found === undefined) {
    const near = nearest(basename(file), jsonFilesIn(dirname(file)));
    const instead = near === undefined ? "" : ` The nearest is ${join(dirname(path), near)}.`;
    throw new CentavoError("NOT_FOUND", `there is no such file.${instead}`);
  }
  return readFileSync(file, "utf8");
}

function jsonFilesIn(folder: string): string[] {
  if (statSync(folder, { throwIfNoEntry: false })?.isDirectory() !== true) return [];
  return readdirSync(folder)
    .filter((name) => name.endsWith(".json"))
    .toSorted();
}

/** Ignores case, because some file systems do. */
function isSame(left: string, right: string): boolean {
  return left.toLowerCase() === right.toLowerCase();
}
