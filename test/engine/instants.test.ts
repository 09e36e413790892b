import { runInNewContext } from "node:vm";
import { Temporal } from "temporal-polyfill";
import { describe, expect, test } from "vitest";
import { parseInstant } from "../../src/kit/engine/duration.ts";
import type { InstantLike } from "../../src/kit/engine/duration.ts";

const MARCH = Date.UTC(2026, 2, 1);

describe("an instant", () => {
  test.for<[string, InstantLike, number]>([
    ["a date alone", "2026-03-01", MARCH],
    ["a timestamp in UTC", "2026-03-01T00:00:00Z", MARCH],
    ["a timestamp with milliseconds", "2026-03-01T00:00:00.123Z", MARCH + 123],
    ["a timestamp with an offset", "2026-03-01T08:00:00+08:00", MARCH],
    ["milliseconds since 1970", MARCH, MARCH],
    ["the moment before 1970", -1, -1],
    ["a Date", new Date(MARCH), MARCH],
    ["a Date of another realm", runInNewContext(`new Date(${MARCH})`) as Date, MARCH],
    ["a Temporal instant", Temporal.Instant.fromEpochMilliseconds(MARCH), MARCH],
    ["a Temporal date and time in a zone", Temporal.ZonedDateTime.from("2026-03-01T08:00[Asia/Manila]"), MARCH],
    ["nanoseconds, which are cut off", "2026-03-01T00:00:00.123999999Z", MARCH + 123],
    ["the last moment", 8.64e15, 8.64e15],
  ])("may be %s", ([, instant, milliseconds]) => {
    expect(parseInstant(instant)).toBe(milliseconds);
  });

  test.for<[string, unknown]>([
    ["empty text", ""],
    ["text that is not a time", "tomorrow"],
    ["a day that is not in the calendar", "2026-02-30"],
    ["an hour that is not in the day", "2026-02-28T25:00:00Z"],
    ["a time without an offset", "2026-03-01T00:00:00"],
    ["an invalid Date", new Date(Number.NaN)],
    ["a fraction of a millisecond", 0.5],
    ["no number", Number.NaN],
    ["a moment past the last", 8.64e15 + 1],
    ["null", null],
    ["undefined", undefined],
    ["a big integer", 1n],
    ["an object that is not a time", {}],
    ["a Temporal date, which is a whole day", Temporal.PlainDate.from("2026-03-01")],
  ])("may not be %s", ([, instant]) => {
    const read = (): number => parseInstant(instant as InstantLike);
    expect(read).toThrow(/The moment .* was not understood: write it as "2026-03-01T00:00:00Z"/);
    expect(read).toThrow(expect.objectContaining({ code: "INVALID_DURATION" }));
  });
});

test.each([
  [Number.NaN, "NaN"],
  [Infinity, "Infinity"],
  [new Date(Number.NaN), "Invalid Date"],
])("what JSON cannot write is named as it is: %s", (instant, name) => {
  expect(() => parseInstant(instant)).toThrow(`The moment ${name} was not understood`);
});
