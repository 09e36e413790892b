export const HOUR = 3_600_000;
export const DAY = 24 * HOUR;

export interface Rhythm {
  readonly interval: "day" | "week" | "month" | "year";
  readonly intervalCount: number;
}

const MONTHS = { month: 1, year: 12 };
const DAYS = { day: 1, week: 7 };

/** The boundary after this many cycles: the anchor's day in UTC, or the last of a shorter month (`subscription.renewal`). */
export function boundary({ interval, intervalCount }: Rhythm, anchor: number, cycles: number): number {
  if (interval === "day" || interval === "week") return anchor + cycles * intervalCount * DAYS[interval] * DAY;
  const date = new Date(anchor);
  const year = date.getUTCFullYear();
  const month = date.getUTCMonth() + cycles * intervalCount * MONTHS[interval];
  const lastDay = new Date(Date.UTC(year, month + 1, 0)).getUTCDate();
  return Date.UTC(year, month, Math.min(date.getUTCDate(), lastDay)) + (anchor % DAY);
}
