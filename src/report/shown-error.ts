import { inWords } from "../kit/base/errors/in-words.ts";
import { messageOf } from "../kit/base/errors/thrown-values.ts";

/** What the matchers of a runner colour a message with, for a terminal. */
// eslint-disable-next-line no-control-regex -- these are what is looked for
const COLOUR = /\u001B\[[\d;]*m/g;

/** Returns what a test threw, for people: the message of an error, its name if it has none, or the fields of another object. */
export function shownError(error: unknown): string {
  const message = messageOf(error).replaceAll(COLOUR, "");
  try {
    if (message === "") return nameOf(error);
    const isOther = typeof error === "object" && error !== null && !("message" in error);
    return isOther ? inWords(error) : message;
  } catch {
    // Nobody can read a revoked proxy.
    return message;
  }
}

/** vitest passes on plain objects in place of errors. */
function nameOf(error: unknown): string {
  const { name } = error as { readonly name?: unknown };
  return typeof name === "string" && name !== "" ? name : "an error without a message";
}
