import { commandLine } from "../report/causes/commands.ts";
import type { Verdict } from "../exam/verdict.ts";
import { paceInWords } from "../exam/pace.ts";
import { printable } from "../kit/base/errors/printable.ts";
import type { Examined, NotExamined } from "../exam/exam-results.ts";
import { exitCodes } from "./exit-codes.ts";
import type { ExitCode } from "./exit-codes.ts";
import { styled } from "./output.ts";
import type { Output } from "./output.ts";

/** An exam of this run, with its verdict. */
export interface HeldExam extends Examined {
  readonly verdict: Verdict;
}

/** The seed that overrides the file's own. */
type Seed = number | string | undefined;

/**
 * Prints the verdict of an exam, with the commands that replay its stories.
 * @param inFull whether to also print the tables of what was tried
 */
export function printVerdict(file: string, verdict: Verdict, seed: Seed, output: Output, inFull = false): void {
  const [first = "", ...rest] = verdict.told((token) => replayCommand(file, token, seed)).split("\n");
  output.print(`${styled(output, "bold", file)}: ${styled(output, verdict.passed ? "green" : "red", first)}`);
  output.print(printable(rest.join("\n")));
  if (inFull) output.print(printable(`\n${verdict.coverageTable()}\n`));
  output.print(styled(output, "dim", `${paceInWords(verdict.pace)}\nDigest: ${verdict.digest}`));
}

/** Prints whether the replayed story still breaks a law. */
export function printReplay(file: string, verdict: Verdict, seed: Seed, output: Output): void {
  const broken = [...verdict.failures, ...verdict.warnings].map(({ law }) => law);
  if (broken.length > 0) printVerdict(file, verdict, seed, output);
  else output.print(styled(output, "dim", `Digest: ${verdict.digest}`));
  if (broken.length > 0) output.print(styled(output, "red", `The story still breaks ${broken.join(", ")}.`));
  else if (verdict.unfinished !== undefined)
    output.print(styled(output, "red", `The story breaks no law, but proves nothing: ${verdict.unfinished}`));
  else output.print(styled(output, "green", "The story passes now: it breaks no law."));
}

/** Returns the exit code of exams together: that of the worst. */
export function exitCodeOf(
  verdicts: readonly Pick<Verdict, "outcome">[],
  notExamined: readonly Pick<NotExamined, "interrupted">[],
): ExitCode {
  if (notExamined.some(({ interrupted = false }) => !interrupted)) return exitCodes.couldNotRun;
  const outcomes = new Set(verdicts.map(({ outcome }) => outcome));
  if (outcomes.has("failed")) return exitCodes.failed;
  return outcomes.has("unfinished") || notExamined.length > 0 ? exitCodes.unfinished : exitCodes.passed;
}

/** Prints in one line how the exams went. */
export function printSummary(held: readonly HeldExam[], notExamined: readonly NotExamined[], output: Output): void {
  const filesOf = (outcome: Verdict["outcome"]): readonly string[] =>
    held.filter(({ verdict }) => verdict.outcome === outcome).map(({ file }) => file);
  const [failed, unfinished] = [filesOf("failed"), filesOf("unfinished")];
  const count = held.length + notExamined.length;
  const parts = [
    `${filesOf("passed").length} of ${count} ${count === 1 ? "exam" : "exams"} passed`,
    ...(failed.length === 0 ? [] : [`failed: ${failed.join(", ")}`]),
    ...(unfinished.length === 0 ? [] : [`unfinished: ${unfinished.join(", ")}`]),
    ...(notExamined.length === 0 ? [] : [`not examined: ${notExamined.map(({ file }) => file).join(", ")}`]),
  ];
  output.print(styled(output, parts.length === 1 ? "green" : "red", parts.join("; ")));
}

/** The command that replays a story of an exam. It names the seed only if that differs from the file's own. */
export function replayCommand(file: string, token: string, seed: Seed): string {
  const words = ["npx", "centavo", "exam", file, "--replay", token];
  return commandLine(seed === undefined ? words : [...words, "--seed", String(seed)]);
}
