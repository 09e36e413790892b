import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import { CentavoError } from "../kit/base/errors/centavo-error.ts";
import { messageOf } from "../kit/base/errors/thrown-values.ts";
import { mergeReports, readReport } from "../exam/report.ts";
import type { NamedReport } from "../exam/report.ts";
import { printVerdict } from "./exam-output.ts";
import { styled } from "./output.ts";
import type { Output } from "./output.ts";
import { version } from "../kit/base/runtime/version.ts";

/**
 * Joins the reports of shards, and prints the verdict of each exam.
 * @returns the process's exit code: 0 if every exam passed, 1 if one failed, 2 if the reports cannot be joined
 */
export function mergeFiles(
  paths: readonly string[],
  { partial = false, coverage = false }: { readonly partial?: boolean; readonly coverage?: boolean },
  output: Output,
  directory: string,
): 0 | 1 | 2 {
  try {
    const merged = mergeReports(
      paths.map((path) => readReportFile(path, directory)),
      partial,
    );
    for (const { file, verdict, missing } of merged) {
      printVerdict(file, verdict, undefined, output, coverage);
      if (missing !== undefined) output.print(styled(output, "red", `This is not the whole exam: ${missing}.`));
    }
    return merged.every(({ verdict }) => verdict.passed) ? 0 : 1;
  } catch (error) {
    if (!(error instanceof CentavoError)) throw error;
    output.print(styled(output, "red", error.message));
    return 2;
  }
}

/** @throws {CentavoError} `NOT_FOUND` when the file cannot be read, and `INVALID_OPTION` when it is not a report */
function readReportFile(path: string, directory: string): NamedReport {
  let text: string;
  try {
    text = readFileSync(resolve(directory, path), "utf8");
  } catch (error) {
    throw new CentavoError("NOT_FOUND", `The report ${path} cannot be read: ${messageOf(error)}.`, { cause: error });
  }
  return readReport(text, path, version());
}
