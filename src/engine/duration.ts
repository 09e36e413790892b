import { Temporal } from "temporal-polyfill";
import { CentavoError } from "../errors.ts";

/** The units in which a test may speak of time. */
export interface DurationFields {
  years?: number;
  months?: number;
  weeks?: number;
  days?: number;
  hours?: number;
  minutes?: number;
  seconds?: number;
  milliseconds?: number;
}

/**
 * A length of time: `"3 days"`, `"1 hour 30 minutes"`, ISO 8601 `"P1M"`, `{ months: 1 }`, or a Temporal duration.
 * Years and months are calendar units in UTC: a month after 31 January is the last day of February.
 */
export type DurationLike = string | DurationFields | Pick<Temporal.Duration, keyof DurationFields>;

/** A moment: ISO 8601 with an offset or `Z`, a date alone (midnight UTC), milliseconds since 1970, a Date, or a Temporal instant. */
export type InstantLike = string | number | Date | { readonly epochMilliseconds: number };

const FIELDS = ["years", "months", "weeks", "days", "hours", "minutes", "seconds", "milliseconds"] as const;
const MILLISECONDS = { weeks: 604_800_000, days: 86_400_000, hours: 3_600_000, minutes: 60_000, seconds: 1000, milliseconds: 1 } as const;
const SHORT_NAMES: Readonly<Record<string, (typeof FIELDS)[number]>> = {
  y: "years", mo: "months", w: "weeks", d: "days", h: "hours", hr: "hours", hrs: "hours", m: "minutes", min: "minutes", mins: "minutes",
  s: "seconds", sec: "seconds", secs: "seconds", ms: "milliseconds",
};
const LAST_INSTANT = 8.64e15;

/**
 * Adds a length of time to a moment.
 * @param from milliseconds since 1970-01-01T00:00:00Z
 * @returns milliseconds since 1970-01-01T00:00:00Z
 * @throws {CentavoError} `INVALID_DURATION` naming what was not understood
 */
export function addDuration(from: number, duration: DurationLike): number {
  const fields = parseDuration(duration);
  let start = from;
  if (fields.years !== undefined || fields.months !== undefined) {
    const { years = 0, months = 0 } = fields;
    start = Temporal.Instant.fromEpochMilliseconds(from).toZonedDateTimeISO("UTC").add({ years, months }).epochMilliseconds;
  }
  const end = start + fixedMilliseconds(fields);
  if (!Number.isSafeInteger(end) || Math.abs(end) > LAST_INSTANT) throw invalid(duration, "it leads past the last moment that a date can hold");
  return end;
}

/**
 * The length of a duration without calendar units, in milliseconds.
 * @throws {CentavoError} `INVALID_DURATION` for nonsense and for years and months, which have no fixed length
 */
export function durationMilliseconds(duration: DurationLike): number {
  const fields = parseDuration(duration);
  if (fields.years !== undefined || fields.months !== undefined) throw invalid(duration, "years and months have no fixed length here; use days");
  return fixedMilliseconds(fields);
}

/**
 * Reads a moment as milliseconds since 1970-01-01T00:00:00Z.
 * @throws {CentavoError} `INVALID_DURATION` naming what was not understood
 */
export function parseInstant(instant: InstantLike): number {
  let milliseconds: number;
  if (typeof instant === "number") milliseconds = instant;
  else if (instant instanceof Date) milliseconds = instant.getTime();
  else if (typeof instant === "string") milliseconds = instantFromText(instant);
  else milliseconds = instant.epochMilliseconds;
  if (!Number.isInteger(milliseconds) || Math.abs(milliseconds) > LAST_INSTANT) throw invalidInstant(instant);
  return milliseconds;
}

function instantFromText(text: string): number {
  try {
    if (/^\d{4}-\d{2}-\d{2}$/.test(text)) return Temporal.PlainDate.from(text).toZonedDateTime("UTC").epochMilliseconds;
    return Temporal.Instant.from(text).epochMilliseconds;
  } catch (cause) {
    throw invalidInstant(text, cause);
  }
}

function parseDuration(duration: DurationLike): DurationFields {
  if (typeof duration === "string") return /^[+-]?P/i.test(duration.trim()) ? fromIso(duration.trim()) : fromWords(duration);
  if (typeof duration !== "object" || duration === null) throw invalid(duration, "it is neither text nor an object of units");
  const fields: DurationFields = {};
  if (!(duration instanceof Temporal.Duration)) {
    for (const name of Object.keys(duration)) {
      if (!(FIELDS as readonly string[]).includes(name)) throw invalid(duration, `"${name}" is no unit; the units are ${FIELDS.join(", ")}`);
    }
  }
  for (const name of FIELDS) {
    const amount = duration[name];
    if (amount === undefined || amount === 0) continue;
    if (!Number.isInteger(amount)) throw invalid(duration, `${name} is not a whole number`);
    fields[name] = amount;
  }
  return notBackwards(duration, fields);
}

function fromIso(text: string): DurationFields {
  let parsed: Temporal.Duration;
  try {
    parsed = Temporal.Duration.from(text);
  } catch (cause) {
    throw invalid(text, "it is no ISO 8601 duration such as P1M or PT30M", cause);
  }
  if (parsed.microseconds !== 0 || parsed.nanoseconds !== 0) throw invalid(text, "the virtual clock counts in whole milliseconds");
  return parseDuration(parsed);
}

function fromWords(text: string): DurationFields {
  const fields: DurationFields = {};
  const rest = text.replaceAll(/(-?\d+(?:\.\d+)?)\s*([a-z]+)(?:\s*(?:,|and)\s*|\s*)/gi, (_, amount: string, word: string) => {
    const lower = word.toLowerCase();
    const unit = SHORT_NAMES[lower] ?? FIELDS.find((field) => field === lower || field === `${lower}s`);
    if (unit === undefined) throw invalid(text, `"${word}" is no unit; the units are ${FIELDS.join(", ")}`);
    if (fields[unit] !== undefined) throw invalid(text, `${unit} stands there twice`);
    fields[unit] = Number(amount);
    return "";
  });
  if (rest.trim() !== "" || Object.keys(fields).length === 0) throw invalid(text, `write it as "3 days", "1 hour 30 minutes" or "P1M"`);
  for (const unit of ["years", "months"] as const) {
    if (!Number.isInteger(fields[unit] ?? 0)) throw invalid(text, `${unit} is not a whole number`);
  }
  if (!Number.isInteger(fixedMilliseconds(fields))) throw invalid(text, "the virtual clock counts in whole milliseconds");
  return notBackwards(text, fields);
}

function notBackwards(duration: unknown, fields: DurationFields): DurationFields {
  if (Object.values(fields).some((amount: number) => amount < 0)) {
    throw new CentavoError(
      "CLOCK_BACKWARDS",
      `The duration ${describe(duration)} is negative, and time only moves forward. To go back, keep sim.snapshot() and sim.restore() it, or try things out on a sim.fork().`,
    );
  }
  return fields;
}

function fixedMilliseconds(fields: DurationFields): number {
  let total = 0;
  for (const unit of Object.keys(MILLISECONDS) as (keyof typeof MILLISECONDS)[]) total += (fields[unit] ?? 0) * MILLISECONDS[unit];
  return total;
}

function describe(value: unknown): string {
  return typeof value === "string" ? JSON.stringify(value) : (JSON.stringify(value) ?? String(value));
}

function invalid(duration: unknown, why: string, cause?: unknown): CentavoError {
  return new CentavoError("INVALID_DURATION", `The duration ${describe(duration)} was not understood: ${why}.`, { cause });
}

function invalidInstant(instant: unknown, cause?: unknown): CentavoError {
  const example = "2026-03-01T00:00:00Z";
  return new CentavoError("INVALID_DURATION", `The moment ${describe(instant)} was not understood: write it as "${example}", a date, a Date or milliseconds since 1970.`, { cause });
}
