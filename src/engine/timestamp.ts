/** Virtual time stands still most of the time and the same boundaries come up again and again, while writing a date takes longer than storing a row. */
const written = new Map<number, string>();
const MOST_WRITTEN = 1024;

/** Writes a virtual moment, in milliseconds since 1970, as the service does: `YYYY-MM-DDTHH:mm:ss.sssZ` (`time.format`). */
export function toTimestamp(milliseconds: number): string {
  const known = written.get(milliseconds);
  if (known !== undefined) return known;
  const text = new Date(milliseconds).toISOString();
  if (written.size >= MOST_WRITTEN) written.clear();
  written.set(milliseconds, text);
  return text;
}
