import { createSimulator } from "../report/create-simulator.ts";
import { playAgain } from "../report/playback.ts";
import { styled } from "./output.ts";
import type { Output } from "./output.ts";
import { recordingIn } from "./recordings.ts";
import { runOf, writeReport } from "./write-report.ts";

/**
 * Writes the report of a recording.
 * @param out where to write it; by default beside the recording
 * @returns the process's exit code: 0 if it is written, 1 if the run diverges, 2 if the recording cannot be read or the report cannot be
 * written
 */
export async function reportFile(
  path: string,
  out: string | undefined,
  output: Output,
  directory: string,
): Promise<0 | 1 | 2> {
  const recording = recordingIn(path, directory, output);
  if (recording === undefined) return 2;
  const played = await playAgain(recording, createSimulator);
  const { problem } = played;
  if (problem !== undefined) output.print(styled(output, "red", problem));
  const isWritten = writeReport(
    [await runOf(played, path)],
    out ?? `${path.replace(/\.json$/, "")}.html`,
    output,
    directory,
  );
  if (!isWritten) return 2;
  return problem === undefined ? 0 : 1;
}
