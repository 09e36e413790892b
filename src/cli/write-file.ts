import { resolve } from "node:path";
import { messageOf } from "../kit/base/errors/thrown-values.ts";
import { writeTextFile } from "../kit/base/runtime/files.ts";

/**
 * Writes a file that a command was asked for.
 * @param what what the file is, such as "report"
 * @returns a sentence if it cannot be written
 */
export function writeFile(what: string, path: string, text: string, directory: string): string | undefined {
  try {
    writeTextFile(resolve(directory, path), text);
    return undefined;
  } catch (error) {
    return `The ${what} ${path} cannot be written: ${messageOf(error)}.`;
  }
}
