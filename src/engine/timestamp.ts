/** Writes a virtual moment, in milliseconds since 1970, as the service does: `YYYY-MM-DDTHH:mm:ss.sssZ` (`time.format`). */
export function toTimestamp(milliseconds: number): string {
  return new Date(milliseconds).toISOString();
}
