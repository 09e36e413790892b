import { inWords } from "../engine/duration.ts";
import { nearest } from "../errors/nearest.ts";

/**
 * Says that a name is unknown, with the nearest known one; `undefined` when it is known.
 * @param field where the name was written
 * @param means decides when what was written means a known name; by default it has to be that name
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

/** The known name of which another may be a slip. */
export function nearestName(written: string, known: readonly string[]): string | undefined {
  return nearest(written, known, Math.max(3, Math.ceil(written.length / 2)));
}
