import { CentavoError } from "../base/errors/centavo-error.ts";
import { inWords } from "../base/errors/in-words.ts";
import { messageOf } from "../base/errors/thrown-values.ts";
import { readTextFile } from "../base/runtime/files.ts";

const EXAMPLE = '{ "checkout.lifetime": "30 minutes" }';

/**
 * Reads assumptions from a JSON file: one object by id, or an object that has them as `assumptions` beside what speaks for them, as a
 * calibration writes it. Their ids and values are not checked yet.
 * @param call the call that takes the path, for the message
 * @param path relative to the folder of the process
 * @throws {CentavoError} `INVALID_ASSUMPTION` naming the file
 */
export function readAssumptionsFile(call: string, path: string): Readonly<Record<string, unknown>> {
  const file = inFile(call, path);
  const read: unknown = parsed(file, textOf(file, path));
  if (isObject(read)) {
    // The id of an assumption has a dot in it.
    if (!Object.hasOwn(read, "assumptions")) return read;
    const { assumptions } = read;
    if (isObject(assumptions)) return assumptions;
    throw refused(
      `${file} has ${inWords(assumptions)} as assumptions, and they are one object by id, such as ${EXAMPLE}`,
    );
  }
  throw refused(`${file} holds ${inWords(read)}, and assumptions are one object by id, such as ${EXAMPLE}`);
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function textOf(file: string, path: string): string {
  let text: string | undefined;
  try {
    text = readTextFile(path);
  } catch (error) {
    throw refused(
      `${file} cannot be read: ${messageOf(error)}. The path is relative to the folder of the process`,
      error,
    );
  }
  if (text !== undefined) return text;
  throw refused(
    `${file} cannot be read: this process has no file system. Give the assumptions themselves, as an object`,
  );
}

function parsed(file: string, text: string): unknown {
  try {
    // Some editors begin a file with a byte order mark, which is not JSON.
    return JSON.parse(text.replace(/^\uFEFF/, ""));
  } catch (error) {
    throw refused(`${file} is not JSON: ${messageOf(error)}`, error);
  }
}

/** Begins a message about a file of assumptions, which a call was given. */
export function inFile(call: string, path: string): string {
  return `${call}: the file of assumptions ${inWords(path)}`;
}

function refused(why: string, cause?: unknown): CentavoError {
  return new CentavoError("INVALID_ASSUMPTION", `${why}.`, { cause });
}
