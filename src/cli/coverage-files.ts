import { statSync } from "node:fs";
import { resolve } from "node:path";
import { CentavoError } from "../kit/base/errors/centavo-error.ts";
import { messageOf } from "../kit/base/errors/thrown-values.ts";
import { writeTextFile } from "../kit/base/runtime/files.ts";
import { COVERAGE_EXTENSION, doubtsAbout, joinFiles } from "../report/coverage/file.ts";
import { coverageOfSeen } from "../report/coverage/of-seen.ts";
import { readOnly } from "../report/coverage/scope.ts";
import { tableOf } from "../report/coverage/table.ts";
import { belowThresholds, readThresholds } from "../report/coverage/thresholds.ts";
import { coverageHtml } from "../report/html-report.ts";
import { version } from "../kit/base/runtime/version.ts";
import { COVERAGE_FOLDER, coverageFilesIn, readCoverageFiles } from "../testing/coverage/folder.ts";
import { exitCodes } from "./exit-codes.ts";
import { jsonDocument, tellProblem } from "./json-output.ts";
import { styled } from "./output.ts";
import type { Output } from "./output.ts";

export interface CoverageCommandOptions {
  /** The file for the JSON document; true prints it instead of the table. */
  readonly json?: string | true;
  readonly html?: string;
  readonly only?: readonly string[];
  readonly threshold?: Readonly<Record<string, number>>;
  readonly all?: boolean;
}

/**
 * Merges coverage files, and prints what they saw.
 * @returns the process's exit code: 0, 1 when a threshold is not reached, 2 when the files cannot be merged
 */
export function tellCoverage(
  given: readonly string[],
  { json: asked, html, only, threshold = {}, all = false }: CoverageCommandOptions,
  output: Output,
  directory: string,
): 0 | 1 | 2 {
  // A file of coverage that stands behind --json is there to be read.
  const isRead = typeof asked === "string" && isCoverage(asked, directory);
  const [what, json] = isRead ? [[asked, ...given], true as const] : [given, asked];
  try {
    const thresholds = readThresholds("centavo coverage --threshold", threshold);
    const scope = only === undefined ? {} : { only: readOnly("centavo coverage --only", only) };
    const files = readCoverageFiles(
      (what.length === 0 ? [COVERAGE_FOLDER] : what).flatMap((path) => filesOf(path, directory)),
    );
    const coverage = coverageOfSeen(joinFiles(files, version()), scope);
    const below = belowThresholds(coverage, thresholds);
    const doubts = doubtsAbout(files);
    const code = below.length === 0 ? exitCodes.passed : exitCodes.failed;
    const document = jsonDocument(code, { belowThresholds: below, doubts, ...coverage });
    if (typeof json === "string") write("--json", json, `${document}\n`, directory);
    if (html !== undefined) write("--html", html, coverageHtml(coverage, [...below, ...doubts]), directory);
    if (json === true) output.print(document);
    else tellInWords(tableOf(coverage, { all }), doubts, below, output);
    return code;
  } catch (error) {
    tellProblem(error, json === true, output);
    return exitCodes.couldNotRun;
  }
}

function tellInWords(table: string, doubts: readonly string[], below: readonly string[], output: Output): void {
  output.print(table);
  for (const doubt of doubts) output.print(`\n${doubt}`);
  if (below.length > 0) output.print(`\n${below.map((line) => styled(output, "red", line)).join("\n")}`);
}

function isCoverage(path: string, directory: string): boolean {
  const isFolder = statSync(resolve(directory, path), { throwIfNoEntry: false })?.isDirectory() === true;
  return isFolder || path.endsWith(COVERAGE_EXTENSION);
}

/** @throws {CentavoError} `NOT_FOUND` when the path does not exist, or a folder has no coverage file */
function filesOf(path: string, directory: string): readonly string[] {
  const place = resolve(directory, path);
  const found = statSync(place, { throwIfNoEntry: false });
  if (found?.isFile() === true) return [place];
  const files = found === undefined ? [] : coverageFilesIn(place);
  if (files.length > 0) return files;
  throw new CentavoError(
    "NOT_FOUND",
    `There is no coverage in ${path}. Run your suite with the reporter centavo/vitest-reporter or centavo/jest-reporter, or with node --import centavo/coverage-collector.`,
  );
}

/** @throws {CentavoError} `INVALID_OPTION` when the file cannot be written */
function write(option: string, path: string, text: string, directory: string): void {
  try {
    writeTextFile(resolve(directory, path), text);
  } catch (error) {
    throw new CentavoError("INVALID_OPTION", `${option} ${path} cannot be written: ${messageOf(error)}.`, {
      cause: error,
    });
  }
}
