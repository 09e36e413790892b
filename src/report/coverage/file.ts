import { CentavoError } from "../../kit/base/errors/centavo-error.ts";
import { parts } from "../../simulator/coverage-result.ts";
import type { Happening } from "./happenings.ts";
import type { Part } from "../../simulator/coverage-result.ts";
import { Seen } from "./seen.ts";

/** The extension of coverage files: one of their own, because a run removes the files of the run before. */
export const COVERAGE_EXTENSION = ".coverage.jsonl";

/** The first line of a coverage file. */
export interface CoverageHeader {
  /** The version of Centavo whose worlds were seen. */
  readonly centavo: string;
  /** The run that wrote it, when a reporter watched the run. */
  readonly run?: string;
  /** True when the run finished, so that the file holds all of it. */
  readonly ended?: true;
}

/** A coverage file as it was read. */
export interface CoverageFile extends CoverageHeader {
  readonly path: string;
  readonly seen: readonly Happening[];
}

/** Writes the beginning of a coverage file. */
export function headerLine(header: CoverageHeader): string {
  return `${JSON.stringify(header)}\n`;
}

/** Writes what was seen as lines of a coverage file. */
export function linesOf(seen: readonly Happening[]): string {
  return seen.map((happening) => `${JSON.stringify(happening)}\n`).join("");
}

/**
 * Reads a coverage file. A last line that breaks off belongs to a process that was killed, and is left out.
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
 * Joins coverage files.
 * @param version the version of Centavo that measures them
 * @throws {CentavoError} `INVALID_OPTION` when one is of another version, which has another service
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

/** Says what is doubtful about files: runs that were aborted, and files of several runs. */
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
