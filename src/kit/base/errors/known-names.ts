import { inWords } from "./in-words.ts";
import { nearest } from "./nearest.ts";

/** A longer list would bury the message. */
const MOST_LISTED = 60;
const SOME = 10;

/**
 * Returns a message about an unknown name, with the nearest known one; `undefined` when the name is known.
 * @param field the field that has the name
 * @param means returns true when the name that was written means a known one; by default the two must be equal
 */
export function unknownName(
  field: string,
  written: unknown,
  known: readonly string[],
  means = (one: string): boolean => written === one,
): string | undefined {
  if (known.some(means)) return undefined;
  return `${field} is ${inWords(written)}${suggestion(written, known) ?? ""}. Known are ${listed(known)}`;
}

/** Returns what to add about the known name that is near; undefined when none is. */
export function suggestion(written: unknown, known: readonly string[]): string | undefined {
  const near = typeof written === "string" ? nearest(written, known) : undefined;
  return near && `; the nearest is "${near}"`;
}

export function listed(known: readonly string[]): string {
  if (known.length <= MOST_LISTED) return known.join(", ");
  return `${known.slice(0, SOME).join(", ")} and ${known.length - SOME} more`;
}
