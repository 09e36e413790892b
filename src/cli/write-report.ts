import { basename } from "node:path";
import { replayCommand } from "../report/causes/commands.ts";
import { documentOf } from "../report/document.ts";
import { gatherRun } from "../report/gather-run.ts";
import type { Playback } from "../report/playback.ts";
import type { ReportedRun } from "../report/reported-run.ts";
import { styled } from "./output.ts";
import type { Output } from "./output.ts";
import { writeFile } from "./write-file.ts";

/** Returns what the report shows of a replayed recording. */
export async function runOf(played: Playback, path: string): Promise<ReportedRun> {
  const { sim, problem } = played;
  return gatherRun(sim, {
    title: basename(path),
    heard: played,
    replay: replayCommand(path),
    ...(problem === undefined ? {} : { outcome: "failed", error: problem }),
  });
}

/**
 * Writes a report, and prints that it did.
 * @returns false if it could not be written, which is printed too
 */
export function writeReport(runs: readonly ReportedRun[], path: string, output: Output, directory: string): boolean {
  const problem = writeFile("report", path, documentOf(runs), directory);
  output.print(problem === undefined ? `Wrote the report ${path}.` : styled(output, "red", problem));
  return problem === undefined;
}
