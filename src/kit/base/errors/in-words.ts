import { isThrown, textOf } from "./thrown-values.ts";

/** In characters. A longer value would bury the message. */
const LONGEST = 200;
/** How many values of an object are written before its text is cut. */
const MOST_VALUES = 100_000;

/** Formats any value for an error message, such as a duration or a moment. */
export function inWords(value: unknown): string {
  let text: string | undefined;
  try {
    text = JSON.stringify(value, writer())?.replaceAll(/"\uE000(.*?)"/g, "$1");
  } catch (error) {
    // A circular object has another error.
    if (isThrown(error, RangeError)) text = "a value that is too large to be shown";
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

/**
 * Marks the numbers that JSON writes as null, to print them as they are. It ends a text that goes far beyond what is shown, because objects
 * that hold one another several times double it at each level.
 */
function writer(): (name: string, value: unknown) => unknown {
  let count = 0;
  return (_name, value) => {
    count += 1;
    if (count > MOST_VALUES) throw new RangeError("too many values to write");
    return typeof value === "number" && !Number.isFinite(value) ? `\uE000${value}` : value;
  };
}
