import { CentavoError } from "../../kit/base/errors/centavo-error.ts";
import type { CentavoErrorCode } from "../../kit/base/errors/centavo-error.ts";
import { messageOf } from "../../kit/base/errors/thrown-values.ts";

export const WAY_OUT = "Put back a copy of it, or move it away to start with an empty one";
export const DAMAGED = `it is damaged. ${WAY_OUT}`;

/** What is wrong with a file, and the way out, by SQLite's primary result code. */
const PROBLEMS: Readonly<Record<number, string>> = {
  5: "another server has it open. Stop that server, or give each server a file of its own",
  8: "it is read-only. Make the file and its folder writable, or give another file",
  10: "the disk cannot be read or written, or is full. Free some space, or give another file",
  11: DAMAGED,
  13: "the disk is full. Free some space",
  14: "it cannot be opened. Its folder has to exist and to be writable, and it must not be a folder itself",
  26: "it is not a state file of Centavo. Give another file",
};

/** A file that is not what it should be. */
export class WrongFile extends Error {}

/**
 * Says what is wrong with a state file.
 * @param code `INVALID_OPTION` when the server starts, `INVALID_STATE` while it runs
 */
export function stateProblem(code: CentavoErrorCode, path: string, error: unknown): CentavoError {
  const why = error instanceof WrongFile ? error.message : problemInWords(error);
  return new CentavoError(code, `The state file ${path}: ${why}.`, { cause: error });
}

function problemInWords(error: unknown): string {
  const { errcode } = (error ?? {}) as { readonly errcode?: unknown };
  // The other bits say more than a user can act on.
  const known = typeof errcode === "number" ? PROBLEMS[errcode & 0xff] : undefined;
  const text = messageOf(error).replace(/\.$/, "");
  return known === undefined ? text : `${known} (${text})`;
}
