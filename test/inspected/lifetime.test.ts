import { describe, expect, test } from "vitest";
import { Lifetime, LONGEST_STAY, LONGEST_WAIT } from "../../src/server/hub/lifetime.ts";
import type { Surroundings } from "../../src/server/hub/lifetime.ts";

const ended = { isRunning: false, isWatched: false, isCi: false, isReplaced: false };

/** Asks at each moment, and returns the first at which the inspector ends. */
function endOf(moments: readonly (Partial<Surroundings> & { readonly now: number })[]): number | undefined {
  const lifetime = new Lifetime(0);
  return moments.find((surroundings) => lifetime.isOver({ ...ended, ...surroundings }))?.now;
}

describe("the inspector of a run", () => {
  test("stays as long as the run, also in CI, and though there is a newer one", () => {
    expect(endOf([{ now: LONGEST_STAY * 2, isRunning: true, isCi: true, isReplaced: true }])).toBeUndefined();
  });

  test("waits for somebody to look when the run has ended, and no longer than ten minutes", () => {
    const run = { now: 1000, isRunning: true };
    expect(endOf([run, { now: 1000 + LONGEST_WAIT - 1 }])).toBeUndefined();
    expect(endOf([run, { now: 1000 + LONGEST_WAIT }])).toBe(1000 + LONGEST_WAIT);
  });

  test("stays while a browser has its page open, and ten minutes longer, but never for more than a day", () => {
    const watched = (now: number) => ({ now, isWatched: true });
    expect(endOf([watched(LONGEST_WAIT * 2), { now: LONGEST_WAIT * 3 - 1 }])).toBeUndefined();
    expect(endOf([watched(LONGEST_WAIT * 2), { now: LONGEST_WAIT * 3 }])).toBe(LONGEST_WAIT * 3);
    expect(endOf([watched(LONGEST_STAY - 1)])).toBeUndefined();
    expect(endOf([watched(LONGEST_STAY)])).toBe(LONGEST_STAY);
  });

  test("ends with its run in CI, where nobody looks", () => {
    expect(endOf([{ now: 1, isCi: true, isWatched: true }])).toBe(1);
  });

  test("ends when its run has ended and there is a newer one, unless a browser has its page open", () => {
    expect(endOf([{ now: 1, isReplaced: true, isWatched: true }])).toBeUndefined();
    expect(endOf([{ now: 1, isReplaced: true }])).toBe(1);
  });
});
