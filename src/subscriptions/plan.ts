import { Temporal } from "temporal-polyfill";

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

/**
 * The n-th period of a plan from its anchor, in UTC. Every boundary is counted from the anchor, so that its day is kept:
 * 31 January, 28 February, 31 March (`subscription.renewal`).
 * @param anchor where period 0 starts, in milliseconds since 1970
 */
export function periodOf(
  { interval, intervalCount }: Pick<Plan, "interval" | "intervalCount">,
  anchor: number,
  n: number,
): Period {
  const start = Temporal.Instant.fromEpochMilliseconds(anchor).toZonedDateTimeISO("UTC");
  const boundary = (cycles: number): number =>
    start.add({ [`${interval}s`]: cycles * intervalCount }).epochMilliseconds;
  return { start: boundary(n), end: boundary(n + 1) };
}
