import { expect, test } from "vitest";
import { closingLine, join } from "../../scripts/tally.ts";

test("a test that runs on several Nodes counts once", () => {
  const pinned = { "a pays": "passed", "a fails": "passed", "a waits": "skipped" } as const;
  const lowest = { "a pays": "passed", "a waits": "skipped" } as const;
  expect(closingLine(join([pinned, lowest]), 0)).toBe("2 passed, 0 failed");
});

test("a test that fails on one Node has failed, even if it passes on the others", () => {
  expect(join([{ "a pays": "failed" }, { "a pays": "passed" }])).toEqual({ "a pays": "failed" });
  expect(join([{ "a pays": "passed" }, { "a pays": "failed" }])).toEqual({ "a pays": "failed" });
});

test("a test that is skipped on one Node has passed if it ran on another", () => {
  expect(join([{ "a pays": "skipped" }, { "a pays": "passed" }])).toEqual({ "a pays": "passed" });
  expect(join([{ "a pays": "passed" }, { "a pays": "skipped" }])).toEqual({ "a pays": "passed" });
});

test("a command that fails without a test counts as one failure", () => {
  expect(closingLine({ "a pays": "passed" }, 1)).toBe("1 passed, 1 failed");
});
