import { existsSync, realpathSync } from "node:fs";
import { dirname, relative, resolve } from "node:path";
import { CentavoError } from "../kit/base/errors/centavo-error.ts";
import { storyOf } from "../exam/token.ts";
import { findExams } from "./exam-files.ts";
import type { ExamCommandOptions } from "./exam.ts";
import { exitCodes } from "./exit-codes.ts";
import type { ExitCode } from "./exit-codes.ts";
import { tellProblem } from "./json-output.ts";
import { styled } from "./output.ts";
import type { Output } from "./output.ts";
import { replayApart } from "./replay-process.ts";
import type { Replayed, RunningReplay } from "./replay-process.ts";
import { checkOut } from "./worktree.ts";

const INTERRUPTED = "The command was interrupted before both stories were over.";

/**
 * Plays a story at an earlier commit and in the working tree, and prints what came of it in a line for each.
 * @param stopped ends both, and removes the checked-out commit
 * @returns the process's exit code: 0 if it failed there and passes here
 */
export async function prove(
  wanted: readonly string[],
  options: ExamCommandOptions,
  output: Output,
  directory: string,
  stopped: Promise<unknown>,
): Promise<ExitCode> {
  // The first signal ends the stories. A second one must not end this process before the commit is removed.
  const wait = (): void => undefined;
  for (const signal of ["SIGINT", "SIGTERM"] as const) process.on(signal, wait);
  try {
    return await proveStory(wanted, options, output, directory, stopped);
  } catch (error) {
    tellProblem(error, options.json, output);
    return exitCodes.couldNotRun;
  } finally {
    for (const signal of ["SIGINT", "SIGTERM"] as const) process.off(signal, wait);
  }
}

async function proveStory(
  wanted: readonly string[],
  { prove: token, before, seed, ...others }: ExamCommandOptions,
  output: Output,
  directory: string,
  stopped: Promise<unknown>,
): Promise<ExitCode> {
  if (token === undefined || before === undefined)
    throw new CentavoError(
      "INVALID_OPTION",
      "--prove <token> and --before <ref> belong together: the story must fail at that commit of git, and pass here.",
    );
  const [refused] = Object.keys(others);
  if (refused !== undefined)
    throw new CentavoError(
      "INVALID_OPTION",
      `--prove plays one story here and at an earlier commit, so it takes no --${refused.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}. Leave it out.`,
    );
  const [file, ...further] = findExams(wanted, directory);
  if (file === undefined || further.length > 0)
    throw new CentavoError(
      "INVALID_OPTION",
      `--prove plays a story of one exam, and ${further.length + 1} files were given. Pass only the file of that exam.`,
    );
  storyOf(token);
  const path = realpathSync(resolve(directory, file));
  const worktree = checkOut(before, path);
  let running: RunningReplay | undefined;
  const interrupted = stopped.then((): "interrupted" => {
    running?.kill();
    return "interrupted";
  });
  const play = async (of: (path: string) => string): Promise<Replayed | "interrupted"> => {
    const folder = of(realpathSync(directory));
    const examination = {
      file: relative(folder, of(path)),
      directory: folder,
      shard: { index: 1, of: 1 },
      replay: token,
      ...(seed !== undefined && { seed }),
    };
    running = replayApart(examination, existsSync(folder) ? folder : dirname(of(path)));
    return Promise.race([running.ended, interrupted]);
  };
  const tell = (where: string, { outcome, why }: Replayed): void =>
    output.print(
      styled(
        output,
        outcome === "passed" ? "green" : "red",
        `${where}: ${outcome}${why === undefined ? "" : `. ${why}`}`,
      ),
    );
  try {
    const there = await play(worktree.at);
    if (there !== "interrupted") tell(`At ${before} (${worktree.commit})`, there);
    const here = there === "interrupted" ? there : await play((each) => each);
    if (here !== "interrupted") tell("Here", here);
    if (there === "interrupted" || here === "interrupted") {
      output.print(styled(output, "red", INTERRUPTED));
      return exitCodes.unfinished;
    }
    return codeOf(there.outcome, here.outcome);
  } finally {
    worktree.remove();
  }
}

function codeOf(there: Replayed["outcome"], here: Replayed["outcome"]): ExitCode {
  const both = new Set([there, here]);
  if (both.has("could not run")) return exitCodes.couldNotRun;
  if (there === "failed" && here === "passed") return exitCodes.passed;
  return both.has("unfinished") ? exitCodes.unfinished : exitCodes.failed;
}
