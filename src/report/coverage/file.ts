import { CentavoError } from "../../kit/base/errors/centavo-error.ts";
import { parts } from "../../simulator/coverage-result.ts";
import type { Happening } from "./happenings.ts";
import type { Part } from "../../simulator/coverage-result.ts";
import { Seen } from "./seen.ts";

/** Coverage files have their own extension, because each run removes the files of the previous one. */
export const COVERAGE_EXTENSION = ".coverage.jsonl";

/** The first line of a coverage file. */
export interface CoverageHeader {
  /** The version of Centavo that wrote the file. */
  readonly centavo: string;
  /** The run that wrote it, if a reporter watched the run. */
  readonly run?: string;
  /** Present when the run finished, so that the file is complete. */
  readonly ended?: true;
}

export interface CoverageFile extends CoverageHeader {
  readonly path: string;
  readonly seen: readonly Happening[];
}

export function headerLine(header: CoverageHeader): string {
  return `${JSON.stringify(header)}\n`;
}

export function linesOf(seen: readonly Happening[]): string {
  return seen.map((happening) => `${JSON.stringify(happening)}\n`).join("");
}

/**
 * Reads a coverage file. An incomplete last line comes from a process that was killed, and is ignored.
 * @throws {CentavoError} `INVALID_OPTION` when it is not a coverage file
 */
export function readCoverageFile(path: string, text: string): CoverageFile {
  const lines = text.split("\n").slice(0, -1);
  const [header, ...seen] = lines.map((line) => jsonOf(line));
  if (!isHeader(header) || !seen.every(isHappening))
    throw new CentavoError(
      "INVALID_OPTION",
      `${path} is not a coverage file. Coverage files end in ${COVERAGE_EXTENSION}, and a run writes them to .centavo/coverage.`,
    );
  return { ...header, path, seen };
}

/**
 * Merges coverage files.
 * @param version the version of Centavo that reads them
 * @throws {CentavoError} `INVALID_OPTION` for a file of another version, whose service may differ
 */
export function joinFiles(files: readonly CoverageFile[], version: string): Seen {
  const other = files.find(({ centavo }) => centavo !== version);
  if (other !== undefined)
    throw new CentavoError(
      "INVALID_OPTION",
      `${other.path} was written by Centavo ${other.centavo}, and this is Centavo ${version}. Versions differ in what there is to cover; run the suite and this command with the same one.`,
    );
  const seen = new Seen();
  for (const happening of files.flatMap((file) => file.seen)) seen.add(happening);
  return seen;
}

/** Warns about files of aborted runs, and about files of several runs. */
export function doubtsAbout(files: readonly CoverageFile[]): readonly string[] {
  const open = files.filter(({ run, ended }) => run !== undefined && ended !== true);
  const runs = new Set(open.map(({ run }) => run));
  if (runs.size === 0) return [];
  if (runs.size === 1 && open.length === files.length)
    return ["The run did not finish, so this is what it saw until then."];
  return [
    `Among these are files of ${runs.size === 1 ? "a run" : `${runs.size} runs`} that did not finish: ${open.map(({ path }) => path).join(", ")}. Delete them if they belong to an earlier run.`,
  ];
}

function isHeader(value: unknown): value is CoverageHeader {
  return typeof value === "object" && value !== null && typeof Reflect.get(value, "centavo") === "string";
}

function isHappening(value: unknown): value is Happening {
  return Array.isArray(value) && parts.includes(value[0] as Part) && typeof value[1] === "string";
}

function jsonOf(line: string): unknown {
  try {
    return JSON.parse(line) as unknown;
  } catch {
    return undefined;
  }
}
