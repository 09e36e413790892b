/** The last moment of a `Date`, in milliseconds since 1970-01-01T00:00:00Z. */
export const LAST_MOMENT = 8.64e15;

/** Remembered texts: the same few moments are written again and again, and formatting a date takes longer than storing a row. */
const written = new Map<number, string>();
const MOST_WRITTEN = 1024;

/**
 * Formats a moment as `YYYY-MM-DDTHH:mm:ss.sssZ`.
 * @param milliseconds virtual time since 1970-01-01T00:00:00Z
 */
export function toTimestamp(milliseconds: number): string {
  const known = written.get(milliseconds);
  if (known !== undefined) return known;
  const text = new Date(milliseconds).toISOString();
  if (written.size >= MOST_WRITTEN) written.clear();
  written.set(milliseconds, text);
  return text;
}
