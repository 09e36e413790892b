/** The lengths of a billing cycle. */
export type BillingInterval = "day" | "week" | "month" | "year";

/** A plan; it never changes once made. */
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

/** A stretch of time that one invoice pays for: its start is included, its end is the next one's start. */
export interface Period {
  /** Milliseconds since 1970. */
  readonly start: number;
  readonly end: number;
}

const DAY = 86_400_000;
const MONTHS_PER_YEAR = 12;

/**
 * The n-th period of a plan from its anchor, in UTC. Every boundary is counted from the anchor, so that its day is kept:
 * 31 January, 28 February, 31 March (`subscription.renewal`).
 * @param anchor where period 0 starts, in milliseconds since 1970
 */
export function periodOf(plan: Pick<Plan, "interval" | "intervalCount">, anchor: number, n: number): Period {
  return { start: boundaryOf(plan, anchor, n), end: boundaryOf(plan, anchor, n + 1) };
}

// UTC has no clock changes, so that days and weeks have one length; Temporal would say the same at twenty times the cost.
function boundaryOf({ interval, intervalCount }: Pick<Plan, "interval" | "intervalCount">, anchor: number, n: number) {
  const count = n * intervalCount;
  if (interval === "day") return anchor + count * DAY;
  if (interval === "week") return anchor + count * 7 * DAY;
  return addMonths(anchor, interval === "year" ? count * MONTHS_PER_YEAR : count);
}

/** The same day and time so many months later, or the last day of a month that is too short. */
function addMonths(moment: number, months: number): number {
  const date = new Date(moment);
  const day = date.getUTCDate();
  // The setters keep the time of day, and take no year before 100 for one of the twentieth century as Date.UTC does.
  date.setUTCMonth(date.getUTCMonth() + months, day);
  // A month that is too short has run over into the next one, whose day 0 is its last.
  return date.getUTCDate() === day ? date.getTime() : date.setUTCDate(0);
}
