import { commandLine } from "../report/causes/commands.ts";
import type { Verdict } from "../exam/verdict.ts";
import { paceInWords } from "../exam/pace.ts";
import { printable } from "../kit/base/errors/printable.ts";
import type { Examined, NotExamined } from "../exam/exam-results.ts";
import { styled } from "./output.ts";
import type { Output } from "./output.ts";

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
  const never = Object.entries(verdict.coverage.neverStruck).flatMap(([place, names]) =>
    names.map((name) => `${name} at ${place}`),
  );
  if (never.length > 0)
    output.print(
      printable(
        `These troubles did not happen, because the merchant no longer comes to their place: ${never.join(", ")}.`,
      ),
    );
  output.print(
    broken.length > 0
      ? styled(output, "red", `The story still breaks ${broken.join(", ")}.`)
      : styled(output, "green", "The story passes now: it breaks no law."),
  );
}

export function printSummary(held: readonly Examined[], broken: readonly NotExamined[], output: Output): void {
  const failed = held.filter(({ verdict }) => verdict.failures.length > 0).map(({ file }) => file);
  const interrupted = held.filter((each) => each.interrupted === true && !failed.includes(each.file));
  const count = held.length + broken.length;
  const parts = [
    `${held.length - failed.length - interrupted.length} of ${count} ${count === 1 ? "exam" : "exams"} passed`,
    ...(failed.length === 0 ? [] : [`failed: ${failed.join(", ")}`]),
    ...(interrupted.length === 0 ? [] : [`interrupted: ${interrupted.map(({ file }) => file).join(", ")}`]),
    ...(broken.length === 0 ? [] : [`not examined: ${broken.map(({ file }) => file).join(", ")}`]),
  ];
  output.print(styled(output, parts.length === 1 ? "green" : "red", parts.join("; ")));
}

/** The command that replays a story of an exam. It names the seed only if that differs from the file's own. */
export function replayCommand(file: string, token: string, seed: Seed): string {
  const words = ["npx", "centavo", "exam", file, "--replay", token];
  return commandLine(seed === undefined ? words : [...words, "--seed", String(seed)]);
}
