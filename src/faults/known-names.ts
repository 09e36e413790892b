import { inWords } from "../engine/duration.ts";
import { nearest } from "../errors/nearest.ts";

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
  const near = typeof written === "string" ? nearestName(written, known) : undefined;
  const suggestion = near === undefined ? "" : `; the nearest is "${near}"`;
  return `${field} is ${inWords(written)}${suggestion}. Known are ${known.join(", ")}`;
}

/** Returns the known name of which another may be a misspelling. */
export function nearestName(written: string, known: readonly string[]): string | undefined {
  return nearest(written, known, Math.max(3, Math.ceil(written.length / 2)));
}
