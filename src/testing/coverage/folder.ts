import { COVERAGE_EXTENSION, readCoverageFile } from "../../report/coverage/file.ts";
import type { CoverageFile } from "../../report/coverage/file.ts";
import { OWN_FOLDER } from "../own-folder.ts";
import { isThere, namesIn, readTextFile } from "../../kit/base/runtime/files.ts";

/** Where coverage is written, relative to the working directory. */
export const COVERAGE_FOLDER = `${OWN_FOLDER}/coverage`;

/** Tells the processes of a run where to write, and which run they belong to. */
export const FOLDER_VARIABLE = "CENTAVO_COVERAGE_FOLDER";
export const RUN_VARIABLE = "CENTAVO_COVERAGE_RUN";

/** Returns the coverage files directly in a folder; none if the folder does not exist. */
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
