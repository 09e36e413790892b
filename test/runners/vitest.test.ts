import { describe, expect, test } from "vitest";
import { expectCleanEnd, notesWith, outcomesWith } from "./expectations.ts";
import { runVitest } from "./runner.ts";
import { byNight } from "../by-night.ts";

const text = (part: string): string => expect.stringContaining(part) as string;
const worlds = ["withSimulator gives a test its world", "withSimulator gives another test another world"] as const;
const others = {
  "route handlers of Next are called": "passed",
  "route handlers of Next that Node itself cannot load are explained": "passed",
  ...Object.fromEntries(worlds.map((title) => [title, "passed"])),
  "withSimulator fails with the test's own error": text("the parcel is lost"),
  "withSimulator fails a test that swallowed an error": text("GET https://api.pay.exmaple/oauth was refused"),
  "withSimulator closed everything": "passed",
  ...Object.fromEntries(
    ["one", "two", "three"].map((name) => [`withSimulator gives concurrent tests a world each: ${name}`, "passed"]),
  ),
};

describe("vitest", () => {
  const idsOfEarlierRuns: unknown[] = [];

  test.for(["forks", "vmThreads", ...byNight(["threads", "vmForks"])])(
    "runs simulated tests in the pool %s",
    async (pool) => {
      const ran = await runVitest(".", "shop/vitest", "--pool", pool);
      const [first, second] = worlds.map((title) => ran.notes[title]);
      expect(ran.outcomes).toEqual({ ...outcomesWith("intercept"), ...others });
      expect(ran.notes).toMatchObject(await notesWith("intercept"));
      expect(first).not.toBe(second);
      for (const earlier of idsOfEarlierRuns) expect([first, second]).toEqual(earlier);
      idsOfEarlierRuns.push([first, second]);
      expectCleanEnd(ran);
    },
  );

  test("leaves nothing patched for the files that share its process, whoever captured it", async () => {
    const ran = await runVitest(".", "shop/vitest-not-isolated");
    expect(ran.outcomes).toEqual({
      "axios is loaded while interception is on": "passed",
      "the same axios reaches a real server later": "passed",
      "the same axios is intercepted again": "passed",
    });
    expect(ran.code).toBe(0);
  });
});

test.for(["1", "4", ...byNight(["2", "3"])])("vitest %s runs simulated tests", async (version) => {
  const ran = await runVitest(`installs/runners/vitest-${version}`, `vitest-${version}/shop/vitest`);
  expect(ran.output).toContain(`v${version}.`);
  expect(ran.outcomes).toEqual({ ...outcomesWith("intercept"), ...others });
  expect(ran.notes).toMatchObject(await notesWith("intercept"));
  expectCleanEnd(ran);
});

test("a payment is made by interception under vitest's jsdom", async () => {
  const ran = await runVitest("installs/runners/jsdom", "jsdom/shop/vitest-jsdom");
  expect(ran.outcomes).toEqual({
    "the document is that of jsdom, and a payment is made by interception": "passed",
    "axios is intercepted there, too, but a page does not get to read a token": "passed",
  });
  expect(ran.code, ran.output).toBe(0);
});
