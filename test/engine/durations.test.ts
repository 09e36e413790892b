import * as fc from "fast-check";
import { Temporal } from "temporal-polyfill";
import { describe, expect, test } from "vitest";
import { addDuration, durationMilliseconds } from "../../src/kit/engine/duration.ts";
import type { DurationLike } from "../../src/kit/engine/duration.ts";

// The same cases on every run; a failure prints how to replay it.
fc.configureGlobal({ seed: 20260101 });

const SECOND = 1000;
const HOUR = 3_600_000;
const DAY = 24 * HOUR;

describe("a duration", () => {
  test.for<[DurationLike, number]>([
    ["3 days", 3 * DAY],
    ["1 day", DAY],
    ["2 weeks", 14 * DAY],
    ["1 hour 30 minutes", 1.5 * HOUR],
    ["1 hour, 30 minutes and 5 seconds", 1.5 * HOUR + 5 * SECOND],
    ["1 hour, and 30 minutes", 1.5 * HOUR],
    ["  1 HOUR  ", HOUR],
    ["1h30m", 1.5 * HOUR],
    ["1.5h", 1.5 * HOUR],
    ["90s", 90 * SECOND],
    ["250ms", 250],
    ["250 milliseconds", 250],
    ["1.001 seconds", 1001],
    ["0 seconds", 0],
    ["PT1H30M", 1.5 * HOUR],
    ["PT0.25S", 250],
    ["p3d", 3 * DAY],
    ["P2W", 14 * DAY],
    [{ days: 3 }, 3 * DAY],
    [{ hours: 1.5 }, 1.5 * HOUR],
    [{ hours: 1, minutes: 30, seconds: 0 }, 1.5 * HOUR],
    [Temporal.Duration.from({ hours: 1, minutes: 30 }), 1.5 * HOUR],
    [Temporal.Duration.from("PT0S"), 0],
  ])("%j is %d ms", ([duration, milliseconds]) => {
    expect(durationMilliseconds(duration)).toBe(milliseconds);
    expect(addDuration(1e12, duration)).toBe(1e12 + milliseconds);
  });

  test("of another copy of Temporal is read by its shape", () => {
    const fields = { years: 0, months: 0, weeks: 0, days: 2, hours: 0, minutes: 0, seconds: 1, milliseconds: 0 };
    const foreign = Object.create(fields, {
      [Symbol.toStringTag]: { value: "Temporal.Duration", enumerable: false },
    }) as DurationLike;
    expect(durationMilliseconds(foreign)).toBe(2 * DAY + SECOND);
  });
});

describe("a calendar duration", () => {
  const add = (from: string, duration: DurationLike): string =>
    new Date(addDuration(Date.parse(from), duration)).toISOString();

  test.for<[string, DurationLike, string]>([
    ["2026-01-31T12:00:00.000Z", "1 month", "2026-02-28T12:00:00.000Z"],
    ["2028-01-31T12:00:00.000Z", "P1M", "2028-02-29T12:00:00.000Z"],
    ["2026-01-31T00:00:00.000Z", { months: 2 }, "2026-03-31T00:00:00.000Z"],
    ["2028-02-29T00:00:00.000Z", "1 year", "2029-02-28T00:00:00.000Z"],
    ["2028-02-29T00:00:00.000Z", "P4Y", "2032-02-29T00:00:00.000Z"],
    ["2096-02-29T00:00:00.000Z", "4 years", "2100-02-28T00:00:00.000Z"],
    ["2026-12-31T23:59:59.999Z", "2 months", "2027-02-28T23:59:59.999Z"],
    ["2026-01-31T00:00:00.000Z", "1 month 1 day", "2026-03-01T00:00:00.000Z"],
    ["2026-01-31T00:00:00.000Z", "1y 1mo", "2027-02-28T00:00:00.000Z"],
    ["2026-03-29T00:30:00.000Z", "1 day", "2026-03-30T00:30:00.000Z"],
    ["1969-12-31T00:00:00.000Z", "1 month", "1970-01-31T00:00:00.000Z"],
    ["2026-01-31T00:00:00.000Z", Temporal.Duration.from({ months: 1 }), "2026-02-28T00:00:00.000Z"],
  ])("after %s, %j leads to %s", ([from, duration, to]) => {
    expect(add(from, duration)).toBe(to);
  });

  test("gives the same moment as Temporal's own arithmetic in UTC", () => {
    const field = fc.nat(500);
    const fields = fc.record({
      years: fc.nat(50),
      months: field,
      weeks: field,
      days: field,
      hours: field,
      milliseconds: field,
    });
    fc.assert(
      fc.property(
        fc.date({ noInvalidDate: true, min: new Date("1900-01-01"), max: new Date("2200-01-01") }),
        fields,
        (from, parts) => {
          const zoned = Temporal.Instant.fromEpochMilliseconds(from.getTime()).toZonedDateTimeISO("UTC");
          const oracle = zoned.add(parts).epochMilliseconds;
          expect(addDuration(from.getTime(), parts)).toBe(oracle);
          expect(addDuration(from.getTime(), Temporal.Duration.from(parts))).toBe(oracle);
          expect(addDuration(from.getTime(), Temporal.Duration.from(parts).toString())).toBe(oracle);
        },
      ),
    );
  });

  test.for<DurationLike>(["1 month", "P1Y", { years: 1 }])("%j has no fixed length", (duration) => {
    expect(() => durationMilliseconds(duration)).toThrow(/years and months have no fixed length/);
  });
});

describe("an invalid duration is refused, saying why:", () => {
  test.for<[unknown, RegExp]>([
    ["", /write it as "3 days"/],
    ["3", /write it as "3 days"/],
    ["three days", /write it as/],
    ["3 days and", /write it as/],
    ["days 3", /write it as/],
    ["1 hour; 30 minutes", /write it as/],
    ["3 parsecs", /"parsecs" is not a unit; the units are years, months/],
    ["3 constructor", /"constructor" is not a unit/],
    ["1 day 2 days", /days is given twice/],
    ["0.5 milliseconds", /whole milliseconds/],
    ["1.5 months", /years and months must be whole numbers/],
    ["P", /not an ISO 8601 duration/],
    ["PT", /not an ISO 8601 duration/],
    ["P1.5M", /not an ISO 8601 duration/],
    ["PT0.0001S", /whole milliseconds/],
    [5000, /a bare number has no unit; write \{ milliseconds: 5000 \}/],
    [null, /duration null .* write it as/],
    [undefined, /duration undefined .* write it as/],
    [true, /write it as/],
    [{}, /names no unit/],
    [[], /names no unit/],
    [new Date(0), /names no unit/],
    [{ days: undefined }, /names no unit/],
    [{ day: 1 }, /"day" is not a unit/],
    [{ days: "1" }, /days is not a finite number/],
    [{ days: Number.NaN }, /duration {"days":NaN} was not understood: days is not a finite number/],
    [{ days: Infinity }, /duration {"days":Infinity} was not understood: days is not a finite number/],
    [{ days: 1n }, /days is not a finite number/],
    [{ months: 0.5 }, /must be whole numbers/],
    [Temporal.Duration.from({ nanoseconds: 1 }), /whole milliseconds/],
  ])("%o", ([duration, message]) => {
    for (const read of [
      () => addDuration(0, duration as DurationLike),
      () => durationMilliseconds(duration as DurationLike),
    ]) {
      expect(read).toThrow(message);
      expect(read).toThrow(expect.objectContaining({ code: "INVALID_DURATION" }));
    }
  });

  test.for<DurationLike>([
    "-3 days",
    "-P1D",
    "-1.5h",
    { seconds: -1 },
    { months: -1 },
    Temporal.Duration.from("-PT1S"),
  ])("%j, which is negative", (duration) => {
    expect(() => addDuration(0, duration)).toThrow(expect.objectContaining({ code: "CLOCK_BACKWARDS" }));
    expect(() => addDuration(0, duration)).toThrow(/is negative, and time only moves forward/);
  });

  test.for<DurationLike>([
    "300000 years",
    "P273791Y",
    { months: 1e12 },
    { days: 1e9 },
    { days: 1e300 },
    "99999999999999 weeks",
  ])("%j, which leads past the last moment of a Date", (duration) => {
    expect(() => addDuration(0, duration)).toThrow(/leads past the year 275760/);
    expect(() => durationMilliseconds(duration)).toThrow(/leads past|no fixed length/);
  });
});
