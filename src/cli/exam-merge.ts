import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import { CentavoError } from "../kit/base/errors/centavo-error.ts";
import { messageOf } from "../kit/base/errors/thrown-values.ts";
import { version } from "../kit/base/runtime/version.ts";
import { readResults } from "../exam/exam-results.ts";
import type { NamedResults } from "../exam/exam-results.ts";
import { mergeResults } from "../exam/merge-results.ts";
import { exitCodeOf, printVerdict } from "./exam-output.ts";
import { exitCodes } from "./exit-codes.ts";
import type { ExitCode } from "./exit-codes.ts";
import { jsonDocument, tellProblem } from "./json-output.ts";
import { styled } from "./output.ts";
import type { Output } from "./output.ts";

export interface MergeOptions {
  /** Merges even if shards are missing. */
  readonly partial?: boolean;
  readonly coverage?: boolean;
  /** Prints one JSON document instead of words. */
  readonly json?: boolean;
}

/**
 * Merges the reports of shards, and prints the verdict of each exam.
 * @returns the process's exit code: that of the worst exam
 */
export function mergeFiles(
  paths: readonly string[],
  { partial = false, coverage = false, json = false }: MergeOptions,
  output: Output,
  directory: string,
): ExitCode {
  try {
    const merged = mergeResults(
      paths.map((path) => readFile(path, directory)),
      partial,
    );
    const code = exitCodeOf(
      merged.flatMap(({ verdict }) => verdict ?? []),
      merged.flatMap(({ notExamined }) => notExamined),
    );
    if (json) output.print(jsonDocument(code, { exams: merged }));
    else
      for (const { file, verdict, notExamined } of merged) {
        if (verdict !== undefined) printVerdict(file, verdict, undefined, output, coverage);
        for (const { why } of notExamined) output.print(styled(output, "red", why));
      }
    return code;
  } catch (error) {
    tellProblem(error, json, output);
    return exitCodes.couldNotRun;
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
