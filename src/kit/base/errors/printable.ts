/**
 * Control characters besides line breaks and tabs, which a terminal would obey, and those that turn the direction of writing, which show
 * a reader another text than is there.
 */
// eslint-disable-next-line no-control-regex -- these are what is looked for
const CONTROL = /[\u0000-\u0008\u000B-\u001F\u007F-\u009F\u061C\u200E\u200F\u2028-\u202E\u2066-\u2069]/g;

/** Writes a text for a terminal: a control character becomes its escape, such as `\u001b`. */
export function printable(text: string): string {
  return text.replaceAll(
    CONTROL,
    (character) => String.raw`\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );
}
