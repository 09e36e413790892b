import { textOf } from "./thrown-values.ts";

/** Formats any value for an error message, such as a duration or a moment. */
export function inWords(value: unknown): string {
  try {
    const json = JSON.stringify(value, marked)?.replaceAll(/"\uE000(.*?)"/g, "$1") as string | undefined;
    // JSON writes an invalid Date as null, and such a message is often about one.
    return json === undefined || json === "null" ? String(value) : json;
  } catch {
    return textOf(value);
  }
}

/** Marks the numbers that JSON writes as null, to print them as they are. */
function marked(_name: string, value: unknown): unknown {
  return typeof value === "number" && !Number.isFinite(value) ? `\uE000${value}` : value;
}
