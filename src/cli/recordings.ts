import { mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { basename, dirname, join, resolve } from "node:path";
import { CentavoError } from "../errors/centavo-error.ts";
import { nearest } from "../errors/nearest.ts";
import type { SimulatorOptions } from "../simulator/payment-service.ts";
import { readRecording } from "../simulator/payment-recording.ts";
import type { Recording } from "../simulator/payment-recording.ts";
import { Story } from "../scenario/story.ts";
import { createSimulator } from "../simulator/simulator.ts";
import { styled } from "./output.ts";
import type { Output } from "./output.ts";
import type { FoundStory } from "./story-files.ts";

/**
 * Where the recordings of stories go: into the folder, under the stories' names. Stories of the same name keep their own folders in it.
 * @returns a path for each story, in their order
 */
export function recordingPaths(folder: string, stories: readonly FoundStory[]): string[] {
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

/** @throws {CentavoError} `INVALID_OPTION` where the folder for recordings cannot be one */
export function makeRecordingFolder(folder: string, directory: string): void {
  try {
    mkdirSync(resolve(directory, folder), { recursive: true });
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    const isFile = statSync(resolve(directory, folder), { throwIfNoEntry: false })?.isFile() === true;
    throw new CentavoError(
      "INVALID_OPTION",
      `--record ${folder} takes a folder, ${isFile ? "and this is a file" : `which cannot be made here: ${why}`}. Name another one.`,
    );
  }
}

/** Writes a recording one input a line, so that two of them can be compared. */
export function writeRecording(path: string, { inputs, ...rest }: Recording): void {
  const lines = inputs.map((input) => `    ${JSON.stringify(input)}`).join(",\n");
  const members = Object.entries({ ...rest, inputs: "" }).map(([name, value]) =>
    name === "inputs" ? `  "inputs": [\n${lines}\n  ]` : `  ${JSON.stringify(name)}: ${JSON.stringify(value)}`,
  );
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, `{\n${members.join(",\n")}\n}\n`);
}

/**
 * Lives through a recording and prints its timeline, as far as it came.
 * @returns the process's exit code: 0 where it is the same run, 1 where it went another way, 2 where there is no recording
 */
export async function replayFile(
  path: string,
  { quiet = false }: { readonly quiet?: boolean },
  output: Output,
  directory: string,
): Promise<0 | 1 | 2> {
  let recording: Recording;
  try {
    recording = readRecording(JSON.parse(textOf(path, directory)));
  } catch (error) {
    output.print(
      styled(output, "red", `${path} cannot be replayed: ${error instanceof Error ? error.message : String(error)}`),
    );
    return 2;
  }
  const sim = createSimulator(recording.options as SimulatorOptions);
  const problem = await sim.play(recording).then(
    () => undefined,
    (error: unknown) => {
      if (error instanceof CentavoError) return error.message;
      throw error;
    },
  );
  if (!quiet) output.print(`${new Story(sim).toString()}\n`);
  if (recording.shortened !== undefined)
    output.print(`the recording is shortened: ${recording.shortened.inputs} earlier inputs are not in it`);
  if (problem === undefined)
    output.print(styled(output, "green", `the same run, digest ${recording.digest.slice(0, 12)}`));
  else output.print(styled(output, "red", problem));
  return problem === undefined ? 0 : 1;
}

/** @throws {CentavoError} `NOT_FOUND` for what is no file, with the nearest that is one */
function textOf(path: string, directory: string): string {
  const file = resolve(directory, path);
  const found = statSync(file, { throwIfNoEntry: false });
  if (found?.isDirectory() === true) {
    const files = jsonFilesIn(file);
    const inside = files.length === 0 ? "It holds none" : `It holds ${files.slice(0, 5).join(", ")}`;
    throw new CentavoError("NOT_FOUND", `it is a folder, and one recording is replayed at a time. ${inside}.`);
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

/** Some file systems do not tell large letters from small ones. */
function isSame(left: string, right: string): boolean {
  return left.toLowerCase() === right.toLowerCase();
}
