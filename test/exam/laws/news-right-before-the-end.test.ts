import { expect, test } from "vitest";
import type { Step } from "../../../src/exam/story.ts";
import { club } from "../honest/club.ts";
import { judge } from "./judge.ts";

const HOUR = 3_600_000;

test("a club that compares its register each night is not blamed for a renewal after the last night", async () => {
  const join = { kind: "act", act: "join", id: "member-1", method: "pm_card_approved", plan: "basic" } as const;
  // The member joins three hours after a night, and a story ends 80 hours after its last step.
  const steps: readonly Step[] = [
    { kind: "wait", milliseconds: 2 * HOUR },
    join,
    { kind: "wait", milliseconds: 667 * HOUR },
  ];
  expect(await judge(club, { name: "join approved", steps })).toEqual([]);
});
