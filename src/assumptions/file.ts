import { CentavoError } from "../errors/centavo-error.ts";
import { inWords } from "../errors/in-words.ts";
import { messageOf } from "../errors/thrown-values.ts";
import { readTextFile } from "../runtime/files.ts";

const EXAMPLE = '{ "checkout.lifetime": "30 minutes" }';

/**
 * Reads assumptions from a JSON file. Their ids and values are not checked yet.
 * @param path relative to the folder of the process
 * @throws {CentavoError} `INVALID_ASSUMPTION` naming the file
 */
export function readAssumptionsFile(path: string): Readonly<Record<string, unknown>> {
  const read: unknown = parsed(path, textOf(path));
  if (typeof read === "object" && read !== null && !Array.isArray(read)) return read as Record<string, unknown>;
  throw refused(path, `it holds ${inWords(read)}, and assumptions are one object by id, such as ${EXAMPLE}`);
}

function textOf(path: string): string {
  let text: string | undefined;
  try {
    text = readTextFile(path);
  } catch (error) {
    throw refused(
      path,
      `it cannot be read: ${messageOf(error)}. The path is relative to the folder of the process`,
      error,
    );
  }
  if (text !== undefined) return text;
  throw refused(path, "this process has no file system. Give the assumptions themselves, as an object");
}

function parsed(path: string, text: string): unknown {
  try {
    // Some editors begin a file with a byte order mark, which is not JSON.
    return JSON.parse(text.replace(/^\uFEFF/, ""));
  } catch (error) {
    throw refused(path, `it is not JSON: ${messageOf(error)}`, error);
  }
}

/** Begins a message about a file of assumptions. */
export function inFile(path: string): string {
  return `The file of assumptions ${JSON.stringify(path)}: `;
}

function refused(path: string, why: string, cause?: unknown): CentavoError {
  return new CentavoError("INVALID_ASSUMPTION", `${inFile(path)}${why}.`, { cause });
}
