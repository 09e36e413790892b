import type { ReceiverAnswer } from "../receivers/receiver-answer.ts";

/**
 * Returns the wait that an answer of 429 or 503 asks for with `Retry-After`, in milliseconds, and 0 for any other answer.
 * @param stamp the receiver's time in milliseconds since 1970, by which a date in the header is read, in whole seconds
 *
 * @example
 * retryAfter({ kind: "answered", status: 503, retryAfter: "120" }, stamp); // 120000
 */
export function retryAfter(answer: ReceiverAnswer, stamp: number): number {
  if (answer.kind === "failed" || (answer.status !== 429 && answer.status !== 503)) return 0;
  const header = answer.retryAfter;
  if (header === undefined) return 0;
  if (/^ *\d{1,9} *$/.test(header)) return Number(header) * 1000;
  const date = Date.parse(header);
  return Number.isNaN(date) ? 0 : Math.max(0, date - Math.floor(stamp / 1000) * 1000);
}
