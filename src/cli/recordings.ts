import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { CentavoError } from "../errors.ts";
import type { SimulatorOptions } from "../options.ts";
import { readRecording } from "../recording.ts";
import type { Recording } from "../recording.ts";
import { Story } from "../scenario/story.ts";
import { createSimulator } from "../simulator.ts";
import { styled } from "./output.ts";
import type { Output } from "./output.ts";
import type { FoundStory } from "./story-files.ts";

/** Where a story's recording goes: into the folder, under the story's name. */
export function recordingPath(folder: string, { name }: FoundStory): string {
  return join(folder, `${name.replaceAll("/", "-")}.json`);
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
    recording = readRecording(JSON.parse(readFileSync(resolve(directory, path), "utf8")));
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
  if (problem === undefined)
    output.print(styled(output, "green", `the same run, digest ${recording.digest.slice(0, 12)}`));
  else output.print(styled(output, "red", problem));
  return problem === undefined ? 0 : 1;
}
