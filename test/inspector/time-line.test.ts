import { describe, expect, test } from "vitest";
import { labelsOf, timeLineOf } from "../../src/server/inspector/page/clock/time-line.ts";

const NOW = "2026-01-01T00:00:00.000Z";
const due = (...seconds: readonly number[]) =>
  seconds.map((wait) => ({ at: new Date(Date.parse(NOW) + wait * 1000).toISOString(), what: `after ${wait} s` }));

describe("what is due", () => {
  test("stands on the line in its order, the last at its end", () => {
    const { marks } = timeLineOf(NOW, due(3600, 10, 2_592_000));
    expect(marks.map(({ what }) => what)).toEqual([["after 10 s"], ["after 3600 s"], ["after 2592000 s"]]);
    expect(marks.at(-1)?.place).toBe(100);
    expect(marks.map(({ place }) => place)).toEqual(
      marks.map(({ place }) => place).toSorted((one, other) => one - other),
    );
  });

  test("at about the same moment shares a mark, which goes to the first of it", () => {
    const { marks } = timeLineOf(NOW, due(3600, 3601, 3602, 86_400));
    expect(marks.map(({ what }) => what.length)).toEqual([3, 1]);
    expect(marks[0]?.at).toBe("2026-01-01T01:00:00.000Z");
  });

  test("already or never has a place, too: now, and none", () => {
    const { marks } = timeLineOf(NOW, [...due(-60), { what: "a call hangs" }]);
    expect(marks).toMatchObject([{ place: 0, what: ["after -60 s"] }]);
  });

  test("in thousands makes no more marks than there is room for", () => {
    const many = Array.from({ length: 10_000 }, (_, index) => index * 97);
    const { marks } = timeLineOf(NOW, due(...many));
    expect(marks.length).toBeLessThan(70);
    expect(marks.reduce((sum, { what }) => sum + what.length, 0)).toBe(10_000);
  });
});

test("labels do not cover one another, and stay on the line", () => {
  const { marks } = timeLineOf(NOW, due(1, 5, 20, 60, 300, 3600, 86_400, 604_800));
  const spans = labelsOf(marks).map(({ mark: { place } }) => (place <= 50 ? [place, place + 30] : [place - 30, place]));
  expect(spans.length).toBeGreaterThan(1);
  for (const [index, [begin = 0, end = 0]] of spans.entries()) {
    expect(begin).toBeGreaterThanOrEqual(spans[index - 1]?.[1] ?? 0);
    expect(end).toBeLessThanOrEqual(100);
  }
});
