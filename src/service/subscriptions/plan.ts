import { OriginalDate } from "../../kit/base/runtime/dates.ts";
import { LAST_MOMENT } from "../../kit/engine/timestamp.ts";

/** The unit of a billing cycle's length. */
export type BillingInterval = "day" | "week" | "month" | "year";

/** A plan. It never changes. */
export interface Plan {
  readonly id: string;
  readonly merchantId: string;
  readonly name: string;
  readonly description?: string;
  /** Centavos. */
  readonly amount: number;
  readonly currency: string;
  readonly interval: BillingInterval;
  readonly intervalCount: number;
  readonly metadata?: Readonly<Record<string, unknown>>;
  readonly createdAt: number;
}

/** The time that one invoice pays for, from `start` up to, not including, `end`, which is the start of the next. */
export interface Period {
  /** Milliseconds since 1970. */
  readonly start: number;
  readonly end: number;
}

const DAY = 86_400_000;
const MONTHS_PER_YEAR = 12;

/**
 * Returns period `n` of a plan, in UTC. Every boundary is counted from the anchor, which keeps the day of the month: 31 January,
 * 28 February, 31 March (`subscription.renewal`). A period that would end after the last moment of a `Date` ends there.
 * @param anchor the start of period 0, in milliseconds since 1970
 */
export function periodOf(plan: Pick<Plan, "interval" | "intervalCount">, anchor: number, n: number): Period {
  const end = boundaryOf(plan, anchor, n + 1);
  // Past the last moment, a month's boundary is not a number.
  return { start: boundaryOf(plan, anchor, n), end: end < LAST_MOMENT ? end : LAST_MOMENT };
}

/**
 * Returns the anchor of periods that begin now (`subscription.renewal`): this instant, or the beginning of its day in UTC.
 * @param now milliseconds since 1970
 */
export function anchorOf(now: number, renewal: "instant" | "day"): number {
  return renewal === "day" ? Math.floor(now / DAY) * DAY : now;
}

/** Whether no other period can follow, because this one ends with the last moment of a `Date`. */
export function isLastPeriod({ end }: Period): boolean {
  return end === LAST_MOMENT;
}

// UTC has no daylight saving time, so every day has the same length. Temporal gives the same results at twenty times the cost.
function boundaryOf({ interval, intervalCount }: Pick<Plan, "interval" | "intervalCount">, anchor: number, n: number) {
  const count = n * intervalCount;
  if (interval === "day") return anchor + count * DAY;
  if (interval === "week") return anchor + count * 7 * DAY;
  return addMonths(anchor, interval === "year" ? count * MONTHS_PER_YEAR : count);
}

/** Adds months and keeps the day and time, or takes the last day of a month that is too short. */
function addMonths(moment: number, months: number): number {
  const date = new OriginalDate(moment);
  const day = date.getUTCDate();
  // Setters keep the time of day. Date.UTC would also read years before 100 as 19xx.
  date.setUTCMonth(date.getUTCMonth() + months, day);
  // In a month that is too short, the date has overflowed into the next month, whose day 0 is the last day of this one.
  return date.getUTCDate() === day ? date.getTime() : date.setUTCDate(0);
}
