import { printable } from "../kit/base/errors/printable.ts";
import { replayCommand } from "../report/causes/commands.ts";
import type { OfStreams } from "./captured-output.ts";
import { indented } from "./described.ts";
import { styled } from "./output.ts";
import type { Output } from "./output.ts";
import type { PlayedStory, PlayResult } from "./play-files.ts";
import { rerunCommand } from "./rerun-command.ts";
import type { RerunOptions } from "./rerun-command.ts";

const LAST_LINES = 20;

/**
 * Prints what became of a file or of a story.
 * @param recorded the path of the story's recording, if it was written
 */
export function printResult(
  result: PlayResult,
  options: RerunOptions & { readonly quiet?: boolean },
  recorded: string | undefined,
  output: Output,
): void {
  if (result.kind === "file-failed") {
    printStreams(result, output);
    output.print(`${styled(output, "red", `${result.path} could not be loaded:`)}\n${indented(result.reason)}\n`);
  } else if (result.kind === "no-story") {
    if (!result.looksLikeStory || result.file.isNamed) return;
    const wayOut = "Export one as the default, made with scenario(title, script).";
    output.print(styled(output, "dim", `Skipped ${result.file.path}: it exports no story. ${wayOut}`));
  } else if (result.kind === "story" && (result.story.outcome !== "passed" || options.quiet !== true)) {
    printStory(result.story, options, recorded, output);
  }
}

function printStory(
  story: PlayedStory,
  options: RerunOptions & { readonly quiet?: boolean },
  recorded: string | undefined,
  output: Output,
): void {
  const { name, title, path, outcome, timeline, digest = "", problem = "" } = story;
  printStreams(story, output);
  output.print(`${styled(output, "bold", name)}: ${printable(title)}\n`);
  if (timeline !== undefined && timeline !== "") {
    const lines = timeline.split("\n");
    const left = options.quiet === true ? Math.max(0, lines.length - LAST_LINES) : 0;
    if (left > 0) output.print(`  … ${left} earlier lines are left out`);
    output.print(`${indented(lines.slice(left).join("\n"))}\n`);
  }
  if (outcome === "passed") {
    output.print(`  ${styled(output, "green", "passed")} ${styled(output, "dim", `digest ${digest.slice(0, 12)}`)}\n`);
    return;
  }
  output.print(`  ${styled(output, "red", outcome)} in ${printable(path)}\n`);
  output.print(`${indented(problem)}\n`);
  output.print(`  Replay it with: ${rerunCommand(story, options)}\n`);
  if (recorded !== undefined) output.print(`  Replay what happened with: ${replayCommand(recorded)}\n`);
}

/** Prints what a story printed itself, each stream to the same one. */
function printStreams({ stdout, stderr }: OfStreams<string>, output: Output): void {
  if (stdout !== "") output.print(stdout.replace(/\n$/, ""));
  if (stderr !== "") output.printError(stderr.replace(/\n$/, ""));
}
