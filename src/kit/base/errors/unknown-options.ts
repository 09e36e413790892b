import { CentavoError } from "./centavo-error.ts";
import { inWords } from "./in-words.ts";
import { nearest } from "./nearest.ts";

/**
 * Refuses unknown options, which would silently do nothing.
 * @param call the call that takes the options, for the message
 * @throws {CentavoError} `INVALID_OPTION` for anything but an object, and for the first unknown option, with the nearest known one
 */
export function refuseUnknownOptions(call: string, options: unknown, names: readonly string[]): void {
  if (typeof options !== "object" || options === null || Array.isArray(options))
    throw new CentavoError(
      "INVALID_OPTION",
      `${call} takes its options as an object with ${names.join(", ")}, not ${inWords(options)}.`,
    );
  for (const name of Object.keys(options)) {
    if (names.includes(name)) continue;
    throw new CentavoError("INVALID_OPTION", `${call} has no option ${inWords(name)}. ${wayOut(name, names)}.`);
  }
}

function wayOut(name: string, names: readonly string[]): string {
  const near = nearest(name, names);
  if (near !== undefined) return `The nearest is "${near}"`;
  if (names.length === 0) return "It takes none";
  return names.length === 1 ? `Its only option is "${names[0]}"` : `Its options are ${names.join(", ")}`;
}
