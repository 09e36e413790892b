import { textOf } from "./thrown-values.ts";

/** In characters. A longer value would bury the message. */
const LONGEST = 200;

/** Formats any value for an error message, such as a duration or a moment. */
export function inWords(value: unknown): string {
  let text: string | undefined;
  try {
    text = JSON.stringify(value, asWritten)?.replaceAll(/"\uE000(.*?)"/g, "$1");
  } catch {
    // A circular object, for one.
  }
  return shortened(text === undefined || text === "null" ? textOf(value) : text);
}

/**
 * Cuts a text from elsewhere to what a message has room for.
 * @param longest in characters
 */
export function shortened(text: string, longest = LONGEST): string {
  return text.length > longest ? `${text.slice(0, longest)}…` : text;
}

/** Marks the numbers that JSON writes as null, to print them as they are. */
function asWritten(_name: string, value: unknown): unknown {
  return typeof value === "number" && !Number.isFinite(value) ? `\uE000${value}` : value;
}
