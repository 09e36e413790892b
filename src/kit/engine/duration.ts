// The functions of Temporal: its classes take twice as much room in a bundle.
import * as Duration from "temporal-polyfill/fns/Duration";
import * as Instant from "temporal-polyfill/fns/Instant";
import * as PlainDate from "temporal-polyfill/fns/PlainDate";
import { CentavoError } from "../base/errors/centavo-error.ts";
import { inWords } from "../base/errors/in-words.ts";
import { OriginalDate } from "../base/runtime/dates.ts";
import { LAST_MOMENT, toTimestamp } from "./timestamp.ts";

/** A length of time in units. A Temporal duration has the same fields. */
export interface DurationFields {
  readonly years?: number;
  readonly months?: number;
  readonly weeks?: number;
  readonly days?: number;
  readonly hours?: number;
  readonly minutes?: number;
  readonly seconds?: number;
  readonly milliseconds?: number;
}

/**
 * A length of time: `"3 days"`, `"1 hour 30 minutes"`, `"1.5h"`, ISO 8601 `"P1M"`, `{ months: 1 }`, or a Temporal duration.
 * Years and months are calendar units in UTC and are added first: a month after 31 January is the last day of February.
 * The rest is exact, with days of 24 hours, and comes to whole milliseconds. No part may be negative.
 *
 * @example
 * import { createSimulator, type DurationLike } from "centavo";
 *
 * const sim = createSimulator({ now: "2026-01-31T12:00:00Z" });
 * const lengths: DurationLike[] = ["3 days", "1 hour 30 minutes", "P1M", { weeks: 2 }];
 * for (const length of lengths) await sim.clock.advance(length);
 */
export type DurationLike = string | DurationFields;

/**
 * A moment: ISO 8601 with `Z` or an offset, a date alone (midnight UTC), milliseconds since 1970, a Date, or a Temporal instant.
 * Fractions below a millisecond are cut off.
 *
 * @example
 * import { createSimulator, type InstantLike } from "centavo";
 *
 * const sim = createSimulator({ now: "2026-01-01" });
 * const moments: InstantLike[] = ["2026-02-01", "2026-03-01T08:00:00+08:00", new Date("2026-04-01T00:00:00Z")];
 * for (const moment of moments) await sim.clock.advanceTo(moment);
 */
export type InstantLike = string | number | Date | { readonly epochMilliseconds: number };

type Unit = keyof DurationFields;
type Amounts = { -readonly [Name in Unit]?: number };

const MILLISECONDS = {
  weeks: 604_800_000,
  days: 86_400_000,
  hours: 3_600_000,
  minutes: 60_000,
  seconds: 1000,
  milliseconds: 1,
} as const;
const FIXED_UNITS = Object.keys(MILLISECONDS) as (keyof typeof MILLISECONDS)[];
const UNITS: readonly Unit[] = ["years", "months", ...FIXED_UNITS];
const SHORT_NAMES: ReadonlyMap<string, Unit> = new Map([
  ["y", "years"],
  ["mo", "months"],
  ["w", "weeks"],
  ["d", "days"],
  ["h", "hours"],
  ["hr", "hours"],
  ["hrs", "hours"],
  ["m", "minutes"],
  ["min", "minutes"],
  ["mins", "minutes"],
  ["s", "seconds"],
  ["sec", "seconds"],
  ["secs", "seconds"],
  ["ms", "milliseconds"],
]);
const HOW_TO_WRITE = `write it as "3 days", "1 hour 30 minutes", "P1M" or { months: 1 }`;

/**
 * Adds a length of time to a moment.
 * @param from milliseconds since 1970-01-01T00:00:00Z
 * @returns milliseconds since 1970-01-01T00:00:00Z
 * @throws {CentavoError} `INVALID_DURATION` naming what was not understood, `CLOCK_BACKWARDS` for a negative duration
 */
export function addDuration(from: number, duration: DurationLike): number {
  const { years = 0, months = 0, milliseconds } = parseDuration(duration);
  const end = addMonths(from, 12 * years + months) + milliseconds;
  if (end <= LAST_MOMENT) return end;
  throw tooLong(duration);
}

/**
 * Returns the length of a duration without calendar units, in milliseconds.
 * @throws {CentavoError} `INVALID_DURATION` for text that is not a duration, and for years and months, which have no fixed length; `CLOCK_BACKWARDS` for a
 *   negative duration
 */
export function durationMilliseconds(duration: DurationLike): number {
  const { years = 0, months = 0, milliseconds } = parseDuration(duration);
  if (years !== 0 || months !== 0) throw invalid(duration, "years and months have no fixed length here; use days");
  return milliseconds;
}

/**
 * Reads a moment as milliseconds since 1970-01-01T00:00:00Z.
 * @throws {CentavoError} `INVALID_DURATION` naming what was not understood
 */
export function parseInstant(instant: InstantLike): number {
  const milliseconds = millisecondsOf(instant);
  if (Number.isInteger(milliseconds) && Math.abs(milliseconds) <= LAST_MOMENT) return milliseconds;
  throw invalidInstant(instant);
}

function millisecondsOf(instant: InstantLike): number {
  if (typeof instant === "number") return instant;
  if (typeof instant === "string") return instantFromText(instant);
  if (typeof instant !== "object" || instant === null) return Number.NaN;
  // By shape: a Date or Temporal instant from another realm or copy fails `instanceof`.
  if ("epochMilliseconds" in instant) return instant.epochMilliseconds;
  return "getTime" in instant ? instant.getTime() : Number.NaN;
}

function instantFromText(text: string): number {
  // `Date` parses its own format at once, while Temporal's regular expression takes 10 ms to compile.
  const milliseconds = OriginalDate.parse(text);
  if (writtenByDate(milliseconds, text)) return milliseconds;
  try {
    return Instant.fromString(/^\d{4}-\d{2}-\d{2}$/.test(text) ? `${text}T00:00Z` : text).epochMilliseconds;
  } catch (cause) {
    throw invalidInstant(text, cause);
  }
}

/** Whether a text is in the format of `Date`, with or without fractions of a second. */
function writtenByDate(milliseconds: number, text: string): boolean {
  if (Number.isNaN(milliseconds)) return false;
  const written = toTimestamp(milliseconds);
  return text === written || text === written.replace(".000Z", "Z");
}

function addMonths(from: number, months: number): number {
  if (months === 0) return from;
  try {
    const start = new OriginalDate(from);
    const date = PlainDate.create(start.getUTCFullYear(), start.getUTCMonth() + 1, start.getUTCDate());
    const { year, month, day } = PlainDate.addMonths(date, months);
    return start.setUTCFullYear(year, month - 1, day);
  } catch {
    return Number.NaN;
  }
}

function parseDuration(duration: DurationLike): { years?: number; months?: number; milliseconds: number } {
  const amounts = amountsOf(duration);
  for (const unit of UNITS) {
    const amount = amounts[unit] ?? 0;
    if (typeof amount !== "number" || !Number.isFinite(amount))
      throw invalid(duration, `${unit} is not a finite number`);
    if (amount < 0) throw backwards(duration);
  }
  const { years = 0, months = 0 } = amounts;
  if (!Number.isInteger(years) || !Number.isInteger(months))
    throw invalid(duration, "years and months must be whole numbers");
  let total = 0;
  for (const unit of FIXED_UNITS) total += (amounts[unit] ?? 0) * MILLISECONDS[unit];
  const milliseconds = Math.round(total);
  // Rounded, because 1.001 seconds are 1000.9999999999999 milliseconds in floating point.
  if (milliseconds > LAST_MOMENT) throw tooLong(duration);
  if (Math.abs(total - milliseconds) > 1e-6) throw invalid(duration, "it does not come to whole milliseconds");
  return { years, months, milliseconds };
}

function amountsOf(duration: DurationLike | number): Amounts {
  if (typeof duration === "string") {
    const text = duration.trim();
    return /^[+-]?P/i.test(text) ? amountsOfIso(text) : amountsOfWords(text);
  }
  if (typeof duration === "number")
    throw invalid(duration, `a bare number has no unit; write { milliseconds: ${duration} }`);
  if (typeof duration !== "object" || duration === null) throw invalid(duration, HOW_TO_WRITE);
  return amountsOfFields(duration);
}

function amountsOfFields(fields: DurationFields): Amounts {
  const { microseconds = 0, nanoseconds = 0 } = fields as { microseconds?: unknown; nanoseconds?: unknown };
  if (microseconds !== 0 || nanoseconds !== 0) throw invalid(fields, "the virtual clock counts in whole milliseconds");
  // A Temporal duration has no own properties, so this checks only objects that a test wrote.
  for (const name of Object.keys(fields)) {
    if (!UNITS.includes(name as Unit))
      throw invalid(fields, `"${name}" is not a unit; the units are ${UNITS.join(", ")}`);
  }
  const amounts: Amounts = {};
  for (const unit of UNITS) if (fields[unit] !== undefined) amounts[unit] = fields[unit];
  if (Object.keys(amounts).length === 0) throw invalid(fields, `it names no unit; ${HOW_TO_WRITE}`);
  return amounts;
}

function amountsOfIso(text: string): Amounts {
  let parsed: Duration.Record;
  try {
    parsed = Duration.fromString(text);
  } catch (cause) {
    throw invalid(text, "it is not an ISO 8601 duration such as P1M or PT30M", cause);
  }
  return amountsOfFields(parsed);
}

function amountsOfWords(text: string): Amounts {
  const amounts: Amounts = {};
  const rest = text.replaceAll(
    /(?<![\d.])(-?\d+(?:\.\d+)?)\s*([a-z]+)(?:\s*(?:,\s*and\b|,|\band\b)\s*(?=\d)|\s*)/gi,
    (_, amount: string, word: string) => {
      const name = word.toLowerCase();
      const unit = SHORT_NAMES.get(name) ?? UNITS.find((plural) => plural === name || plural === `${name}s`);
      if (unit === undefined) throw invalid(text, `"${word}" is not a unit; the units are ${UNITS.join(", ")}`);
      if (amounts[unit] !== undefined) throw invalid(text, `${unit} is given twice`);
      amounts[unit] = Number(amount);
      return "";
    },
  );
  if (rest !== "" || text === "") throw invalid(text, HOW_TO_WRITE);
  return amounts;
}

function backwards(duration: unknown): CentavoError {
  return new CentavoError(
    "CLOCK_BACKWARDS",
    `The duration ${inWords(duration)} is negative, and time only moves forward. To go back, keep sim.snapshot() and sim.restore() it, or try things out on a sim.fork().`,
  );
}

function invalid(duration: unknown, why: string, cause?: unknown, what = "was not understood"): CentavoError {
  return new CentavoError("INVALID_DURATION", `The duration ${inWords(duration)} ${what}: ${why}.`, {
    cause,
  });
}

function tooLong(duration: unknown): CentavoError {
  return invalid(duration, "it leads past the year 275760, the last year of a Date", undefined, "is too long");
}

function invalidInstant(instant: unknown, cause?: unknown): CentavoError {
  return new CentavoError(
    "INVALID_DURATION",
    `The moment ${inWords(instant)} was not understood: write it as "2026-03-01T00:00:00Z" (with Z or an offset), as a date, as a Date or in milliseconds since 1970.`,
    { cause },
  );
}
