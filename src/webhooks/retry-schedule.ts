import type { ReceiverAnswer } from "../receivers/exchange.ts";

/** An attempt that failed, as far as the next try depends on it. */
export interface FailedAttempt {
  /** How many retries were planned before. */
  readonly retries: number;
  /** How many retries there are in all. */
  readonly maxRetries: number;
  /** Virtual time, in milliseconds since 1970. */
  readonly now: number;
  /** The receiver's time by which its answer is read, in milliseconds since 1970. */
  readonly stamp: number;
  readonly answer: ReceiverAnswer;
}

/**
 * When an event is tried again, in milliseconds since 1970; undefined after the last retry. Retry n comes 2ⁿ s after the one before;
 * `Retry-After` may lengthen the wait, never shorten it (`webhook.retries`).
 */
export function nextTryAt({ retries, maxRetries, now, stamp, answer }: FailedAttempt): number | undefined {
  const retry = retries + 1;
  if (retry > maxRetries) return undefined;
  const wait = 2 ** retry * 1000;
  const asked =
    answer.kind === "answered" && (answer.status === 429 || answer.status === 503)
      ? retryAfter(answer.retryAfter, stamp)
      : 0;
  return now + Math.max(wait, asked);
}

/**
 * The wait that a `Retry-After` header asks for, in milliseconds. It is given in seconds, or as a date of the receiver's own time,
 * which is the attempt's stamp (`webhook.stamp`); both are in whole seconds.
 */
function retryAfter(header: string | undefined, stamp: number): number {
  if (header === undefined) return 0;
  if (/^ *\d{1,9} *$/.test(header)) return Number(header) * 1000;
  const date = Date.parse(header);
  return Number.isNaN(date) ? 0 : Math.max(0, date - Math.floor(stamp / 1000) * 1000);
}
