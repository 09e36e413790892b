import { exam } from "centavo/exam";
import { assertPassed } from "centavo/testing";
import "centavo/vitest";
import { describe, expect, test } from "vitest";
import { examOfSmallShop } from "./small-shop.ts";

/** How many stories an exam plays by default, unless its first round takes more. */
const BY_DEFAULT = 300;

describe("the three ends of a verdict", () => {
  test("an exam passes by default: every flow is played, each kind of trouble once at each kind of place, and the verdict is short", async () => {
    const verdict = await exam(examOfSmallShop());
    expect(verdict).toMatchObject({ outcome: "passed", passed: true, left: { flows: 0, stories: 0 }, endedEarly: [] });
    expect(verdict.stories).toBeGreaterThanOrEqual(BY_DEFAULT);
    expect(verdict.coverage.flowsNotPlayed).toEqual([]);
    expect(verdict.coverage.notTried).toEqual({});
    expect(verdict.unfinished).toBeUndefined();
    expect(String(verdict).split("\n").length).toBeLessThanOrEqual(25);
    expect(verdict).toPass();
  });

  test("an exam is unfinished while a flow was not played, and says how many are left", async () => {
    const verdict = await exam({ ...examOfSmallShop(), budget: { stories: 2 } });
    expect(verdict).toMatchObject({ outcome: "unfinished", passed: false, left: { flows: 8, stories: 0 } });
    expect(String(verdict)).toMatch(
      /^The exam is unfinished: 8 of its 10 flows were not played, and no story of its first round\. No law was broken so far\. 2 stories were played/,
    );
  });

  test("an exam is unfinished while a kind of trouble was not tried at a kind of place, and says how many are left", async () => {
    const verdict = await exam({ ...examOfSmallShop(), budget: { stories: 20 } });
    expect(verdict).toMatchObject({ outcome: "unfinished", passed: false });
    const { stories: left } = verdict.left;
    expect(left).toBeGreaterThan(50);
    expect(String(verdict)).toContain(`The exam is unfinished: ${left} stories of its first round were not played.`);
    const next = await exam({ ...examOfSmallShop(), budget: { stories: 21 } });
    expect(next.left.stories).toBe(left - 1);
  });

  test("an exam whose seconds are over before anything was tried is unfinished", async () => {
    const verdict = await exam({ ...examOfSmallShop(), budget: { seconds: 0.001 } });
    expect(verdict).toMatchObject({ outcome: "unfinished", passed: false, stories: 1 });
    expect(() => expect(verdict).toPass()).toThrow("The exam is unfinished");
  });

  test("an unfinished exam passes where the test says so, and a failed one does not", async () => {
    const verdict = await exam({ ...examOfSmallShop(), budget: { stories: 20 } });
    expect(verdict).toPass({ unfinished: true });
    assertPassed(verdict, { unfinished: true });
    expect(verdict).not.toPass({ unfinished: false });
    expect(() => assertPassed(verdict)).toThrow("toPass({ unfinished: true })");
    const failed = await exam({ ...examOfSmallShop("fulfils each time"), budget: { stories: 80 } });
    expect(failed).toMatchObject({ outcome: "failed", passed: false });
    expect(() => expect(failed).toPass({ unfinished: true })).toThrow("The exam failed");
  });
});
