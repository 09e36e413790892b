import { describe, expect, test } from "vitest";
import { brokenIn, onMachineOfGoals, tablesOf } from "../../bench/figures.ts";
import type { Run } from "../../bench/figures.ts";
import type { Figure, Measured } from "../../bench/table.ts";

/** What a machine measured on which the yardstick's work took so many times as long as on that of the goals. */
function measuredOn(slowness: number, measured: Measured): Run {
  return { on: "2026-11-23", node: "24.21.0", cores: 2, slowness, measured };
}

describe("on a machine that is twice as slow", () => {
  const rate: Figure = { what: "a request", unit: "µs", value: 400, beside: 100, bound: { of: "rate", atLeast: 4000 } };
  const list: Figure = { what: "a list", unit: "ms", value: 3, bound: { of: "value", atMost: 2, goal: 1 } };

  test("times are halved before they are judged", () => {
    expect(brokenIn([[rate, list]])).toBe(2);
    const measured = onMachineOfGoals(measuredOn(2, [rate, list]));
    expect(brokenIn([measured])).toBe(0);
    expect(tablesOf([measured]).figures.join("").split("\n").slice(2)).toEqual([
      "| a request | 200 µs, 5 000 a second | 50 µs |  | at least 4 000 a second |",
      "| a list | 1.5 ms |  |  | at most 2.0 ms, goal 1.0 ms |",
    ]);
  });

  test("bytes, ratios and waits stay as they are", () => {
    const figures: Figure[] = [
      { what: "a row", unit: "B", value: 900 },
      { what: "growth", unit: "×", value: 3 },
      { what: "a picture", unit: "ms", value: 40, isWait: true },
    ];
    expect(onMachineOfGoals(measuredOn(2, figures))).toEqual(figures);
    const call: Figure = { what: "a call", unit: "µs", value: 8, beside: 4, ratio: { value: 2, means: "the cost" } };
    expect(onMachineOfGoals(measuredOn(2, [call]))).toEqual([{ ...call, value: 4, beside: 2 }]);
  });

  test("the points of a curve are halved, and of what it is compared with", () => {
    const points = [[100, 4]] as const;
    const time = { what: "a fork", unit: "µs", points, beside: { what: "a copy", points } } as const;
    const heap = { what: "its heap", unit: "B", points } as const;
    const halves = [[100, 2]];
    expect(onMachineOfGoals(measuredOn(2, { of: "Rows", curves: [time, heap] }))).toEqual({
      of: "Rows",
      curves: [{ ...time, points: halves, beside: { what: "a copy", points: halves } }, heap],
    });
  });
});
