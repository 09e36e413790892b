/** Virtual time stands still most of the time, and writing a date takes longer than storing a row. */
let latest = { milliseconds: 0, text: "1970-01-01T00:00:00.000Z" };

/** Writes a virtual moment, in milliseconds since 1970, as the service does: `YYYY-MM-DDTHH:mm:ss.sssZ` (`time.format`). */
export function toTimestamp(milliseconds: number): string {
  if (milliseconds !== latest.milliseconds) latest = { milliseconds, text: new Date(milliseconds).toISOString() };
  return latest.text;
}
