import { textOf } from "./thrown-values.ts";

/** Formats any value for an error message, such as a duration or a moment. */
export function inWords(value: unknown): string {
  try {
    const json = JSON.stringify(value) as string | undefined;
    // JSON writes NaN, Infinity and an invalid Date as null, and such a message is often about one of them.
    return json === undefined || json === "null" ? String(value) : json;
  } catch {
    return textOf(value);
  }
}
