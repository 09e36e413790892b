import { COVERAGE_EXTENSION, readCoverageFile } from "../../report/coverage/file.ts";
import type { CoverageFile } from "../../report/coverage/file.ts";
import { isThere, namesIn, readTextFile } from "../../kit/base/runtime/files.ts";

/** Where coverage is written, below the folder of the process. */
export const COVERAGE_FOLDER = ".centavo/coverage";

/** How a run tells its processes where to write, and which run it is. */
export const FOLDER_VARIABLE = "CENTAVO_COVERAGE_FOLDER";
export const RUN_VARIABLE = "CENTAVO_COVERAGE_RUN";

/** Returns the paths of the coverage files directly in a folder; none if it is not there. */
export function coverageFilesIn(folder: string): readonly string[] {
  if (!isThere(folder)) return [];
  return namesIn(folder)
    .filter((name) => name.endsWith(COVERAGE_EXTENSION))
    .map((name) => `${folder}/${name}`);
}

/** @throws {CentavoError} `INVALID_OPTION` when one is not a coverage file */
export function readCoverageFiles(paths: readonly string[]): readonly CoverageFile[] {
  return paths.map((path) => readCoverageFile(path, readTextFile(path) ?? ""));
}
