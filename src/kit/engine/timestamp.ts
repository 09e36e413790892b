import { OriginalDate } from "../base/runtime/dates.ts";

/** The last moment of a `Date`, in milliseconds since 1970-01-01T00:00:00Z. */
export const LAST_MOMENT = 8.64e15;

/**
 * Formats a moment as `YYYY-MM-DDTHH:mm:ss.sssZ`.
 * @param milliseconds virtual time since 1970-01-01T00:00:00Z
 */
export function toTimestamp(milliseconds: number): string {
  return new OriginalDate(milliseconds).toISOString();
}
