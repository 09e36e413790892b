import { OriginalDate } from "../kit/base/runtime/dates.ts";
import * as PlainDate from "temporal-polyfill/fns/PlainDate";

/** The time that a date or date-time of ISO 8601 stands for, in milliseconds since 1970. A part of a millisecond is a fraction. */
export interface Extent {
  readonly first: number;
  /** The last whole millisecond of a date, a month or a year; of a date-time the same as `first`. */
  readonly last: number;
}

const HOUR = 3_600_000;
const MINUTE = 60_000;
const SECOND = 1000;
const NANO = 1e9;

const MONTH = "(?:0[1-9]|1[0-2])";
const WEEK = "W(?:0[1-9]|[1-4]\\d|5[0-3])";
const HOURS = "(?:[01]\\d|2[0-3])";
const SIXTIETHS = "[0-5]\\d";
/** A leap second may be the 60th. */
const SECONDS = "(?:[0-5]\\d|60)";
const COMPLETE = `\\d{4}(?:-${MONTH}-\\d\\d|${MONTH}\\d\\d|-?\\d{3}|-${WEEK}-[1-7]|${WEEK}[1-7])`;
const TIME = `(?:${HOURS}(?::?${SIXTIETHS}(?::?${SECONDS})?)?(?:[.,]\\d+)?|24(?::?00(?::?00)?)?)`;
const ZONE = `(?:Z|[+-]${HOURS}(?::?${SIXTIETHS})?)`;

/**
 * The forms of ISO 8601: a year, a month, a week, a day of the month, the week or the year; and such a day with a time, in hours, minutes
 * or seconds, the last of them with a decimal fraction. Basic or extended, local or with an offset. No part can match in two ways, so
 * matching is linear.
 */
export const ISO_8601 = new RegExp(`^(?:\\d{4}(?:-${MONTH}|-?${WEEK})?|${COMPLETE}(?:T${TIME}${ZONE}?)?)$`);

/**
 * Returns what a text of the form `ISO_8601` stands for, or undefined for a day that no calendar has.
 * @param offset the zone of a date, and of a time without one, such as `+08:00`; UTC by default
 */
export function extentOf(text: string, offset = "Z"): Extent | undefined {
  const [date = "", time] = text.split("T");
  try {
    const [first, next] = daysOf(date.replaceAll("-", ""));
    if (time === undefined) {
      const midnight = millisecondsOfTime(`00${offset}`);
      return { first: millisecondsOf(first) + midnight, last: millisecondsOf(next) + midnight - 1 };
    }
    const moment = millisecondsOf(first) + millisecondsOfTime(/[Z+-]/.test(time) ? time : time + offset);
    return { first: moment, last: moment };
  } catch (error) {
    if (error instanceof RangeError) return undefined;
    throw error;
  }
}

/** Returns the first day of a date in the basic format, and the day after its last. */
function daysOf(date: string): [PlainDate.Record, PlainDate.Record] {
  const year = Number(date.slice(0, 4));
  const rest = date.slice(4);
  if (rest === "") return [PlainDate.create(year, 1, 1), PlainDate.create(year + 1, 1, 1)];
  if (rest.startsWith("W")) {
    const week = Number(rest.slice(1, 3));
    // 4 January is always in the first week. Weeks begin on Monday, and belong to the year of their Thursday.
    const anchor = PlainDate.create(year, 1, 4);
    const monday = PlainDate.addDays(anchor, 7 * (week - 1) + 1 - PlainDate.dayOfWeek(anchor));
    if (PlainDate.addDays(monday, 3).year !== year) throw new RangeError("The year has no such week.");
    if (rest.length === 3) return [monday, PlainDate.addDays(monday, 7)];
    return oneDay(PlainDate.addDays(monday, Number(rest[3]) - 1));
  }
  if (rest.length === 3) {
    const ordinal = PlainDate.addDays(PlainDate.create(year, 1, 1), Number(rest) - 1);
    if (ordinal.year !== year) throw new RangeError("The year has no such day.");
    return oneDay(ordinal);
  }
  const month = Number(rest.slice(0, 2));
  if (rest.length > 2) return oneDay(PlainDate.create(year, month, Number(rest.slice(2))));
  const first = PlainDate.create(year, month, 1);
  return [first, PlainDate.addMonths(first, 1)];
}

function oneDay(date: PlainDate.Record): [PlainDate.Record, PlainDate.Record] {
  return [date, PlainDate.addDays(date, 1)];
}

function millisecondsOf({ year, month, day }: PlainDate.Record): number {
  return new OriginalDate(0).setUTCFullYear(year, month - 1, day);
}

/** Returns a time of day in milliseconds, less its offset from UTC. */
function millisecondsOfTime(time: string): number {
  const [, clock = "", fraction = "", sign, offset = ""] =
    /^(\d+)(?:[.,](\d+))?(?:Z|([+-])(\d+))?$/.exec(time.replaceAll(":", "")) ?? [];
  const [hours = 0, minutes = 0, seconds = 0] = pairsOf(clock);
  const [offsetHours = 0, offsetMinutes = 0] = pairsOf(offset);
  const unit = clock.length === 2 ? HOUR : clock.length === 4 ? MINUTE : SECOND;
  // Integers before the division: 0.57 * 1000 is 569.9999999999999.
  const part = (Number(fraction.padEnd(9, "0").slice(0, 9)) * unit) / NANO;
  const whole = Math.floor(part);
  // Any fraction of a millisecond lies between two, and the sum with a date has no room for more than that.
  const rest = part > whole ? 0.5 : 0;
  const east = (sign === "-" ? -1 : 1) * (offsetHours * HOUR + offsetMinutes * MINUTE);
  return hours * HOUR + minutes * MINUTE + seconds * SECOND + whole + rest - east;
}

function pairsOf(digits: string): number[] {
  return (digits.match(/\d\d/g) ?? []).map(Number);
}
