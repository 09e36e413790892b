import { OriginalDate } from "../base/runtime/dates.ts";
import type { ReceiverAnswer } from "../receivers/receiver-answer.ts";

/** How far ahead of the receiver's time a date may be. A later date did not come from that clock. */
const MOST_DAYS_AHEAD = 31;
const DAY = 86_400_000;

const MONTHS = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"];
const MONTH = `(?<month>${MONTHS.join("|")})`;
const TIME = String.raw`(?<hour>\d{2}):(?<minute>\d{2}):(?<second>\d{2})`;

/** The three formats of RFC 9110, section 5.6.7, all in UTC. */
export const HTTP_DATES = [
  String.raw`(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun), (?<day>\d{2}) ${MONTH} (?<year>\d{4}) ${TIME} GMT`,
  String.raw`(?:Mon|Tues|Wednes|Thurs|Fri|Satur|Sun)day, (?<day>\d{2})-${MONTH}-(?<year>\d{2}) ${TIME} GMT`,
  String.raw`(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun) ${MONTH} (?<day>\d{2}| \d) ${TIME} (?<year>\d{4})`,
].map((format) => new RegExp(`^${format}$`));

/** The wait that an answer requests, in milliseconds, or why its header is ignored. */
export type RetryAfter = { readonly wait: number } | { readonly ignored: string };

/**
 * Reads the wait that an answer of 429 or 503 asks for with `Retry-After`. Any other answer asks for none.
 * @param stamp the receiver's time in milliseconds since 1970, from which a date in the header counts, in whole seconds
 *
 * @example
 * readRetryAfter({ kind: "answered", status: 503, retryAfter: "120" }, stamp); // { wait: 120000 }
 */
export function readRetryAfter(answer: ReceiverAnswer, stamp: number): RetryAfter {
  if (answer.kind === "failed" || (answer.status !== 429 && answer.status !== 503)) return { wait: 0 };
  const header = answer.retryAfter?.trim();
  if (header === undefined) return { wait: 0 };
  if (/^\d{1,9}$/.test(header)) return { wait: Number(header) * 1000 };
  const date = parseHttpDate(header, stamp);
  if (date === undefined)
    return { ignored: "is neither a number of seconds below 1000000000 nor a date in a format of RFC 9110" };
  const wait = date - Math.floor(stamp / 1000) * 1000;
  return wait > MOST_DAYS_AHEAD * DAY
    ? { ignored: `is a date more than ${MOST_DAYS_AHEAD} days after the receiver's time` }
    : { wait: Math.max(0, wait) };
}

/** Returns milliseconds since 1970, or undefined for anything but an HTTP-date. */
function parseHttpDate(text: string, stamp: number): number | undefined {
  const parts = HTTP_DATES.map((format) => format.exec(text)?.groups).find((groups) => groups !== undefined);
  if (parts === undefined) return undefined;
  const [day, hour, minute, second] = [parts["day"], parts["hour"], parts["minute"], parts["second"]].map(Number);
  const month = MONTHS.indexOf(parts["month"] ?? "");
  const written = parts["year"] ?? "";
  const year = written.length === 2 ? fullYear(Number(written), stamp) : Number(written);
  const date = new OriginalDate(0);
  date.setUTCFullYear(year, month, day);
  const isOnTheCalendar = date.getUTCMonth() === month && date.getUTCDate() === day;
  // RFC 9110 allows leap seconds.
  if (!isOnTheCalendar || Number(hour) > 23 || Number(minute) > 59 || Number(second) > 60) return undefined;
  return date.setUTCHours(Number(hour), Number(minute), Number(second));
}

/** Returns the year that two digits mean: at most 50 years ahead, as RFC 9110 demands. */
function fullYear(digits: number, stamp: number): number {
  const now = new OriginalDate(stamp).getUTCFullYear();
  const year = now - (now % 100) + digits;
  return year > now + 50 ? year - 100 : year;
}
