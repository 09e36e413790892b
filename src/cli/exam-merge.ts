import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import { CentavoError } from "../kit/base/errors/centavo-error.ts";
import { messageOf } from "../kit/base/errors/thrown-values.ts";
import { version } from "../kit/base/runtime/version.ts";
import { readResults } from "../exam/exam-results.ts";
import type { NamedResults } from "../exam/exam-results.ts";
import { mergeResults } from "../exam/merge-results.ts";
import type { ExamExitCode } from "./exam.ts";
import { printVerdict } from "./exam-output.ts";
import { styled } from "./output.ts";
import type { Output } from "./output.ts";

/**
 * Merges the reports of shards, and prints the verdict of each exam.
 * @returns the process's exit code: 2 if the reports cannot be merged, or prove nothing
 */
export function mergeFiles(
  paths: readonly string[],
  { partial = false, coverage = false }: { readonly partial?: boolean; readonly coverage?: boolean },
  output: Output,
  directory: string,
): ExamExitCode {
  const complain = (sentence: string): void => output.print(styled(output, "red", sentence));
  try {
    const merged = mergeResults(
      paths.map((path) => readFile(path, directory)),
      partial,
    );
    for (const { file, verdict, missing, unproven } of merged) {
      if (verdict !== undefined) printVerdict(file, verdict, undefined, output, coverage);
      if (missing !== undefined) complain(`This is not the whole exam: ${missing}.`);
      for (const why of unproven) complain(why);
    }
    if (merged.some(({ unproven }) => unproven.length > 0)) return 2;
    return merged.every(({ verdict }) => verdict?.passed === true) ? 0 : 1;
  } catch (error) {
    if (!(error instanceof CentavoError)) throw error;
    complain(error.message);
    return 2;
  }
}

/** @throws {CentavoError} `NOT_FOUND` when the file cannot be read, and `INVALID_OPTION` when it is not a report */
function readFile(path: string, directory: string): NamedResults {
  let text: string;
  try {
    text = readFileSync(resolve(directory, path), "utf8");
  } catch (error) {
    throw new CentavoError("NOT_FOUND", `The report ${path} cannot be read: ${messageOf(error)}.`, { cause: error });
  }
  return readResults(text, path, version());
}
