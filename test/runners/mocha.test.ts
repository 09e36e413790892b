import { expect, test } from "vitest";
import { expectCleanEnd, notesWith, outcomesWith } from "./expectations.ts";
import { programOf, readMochaReport, run } from "./runner.ts";

test.for([
  ["ES modules", "orders.mjs"],
  ["CommonJS", "orders.cjs"],
] as const)("Mocha runs simulated tests in %s", async ([, file]) => {
  const ran = await run({
    folder: "shop/mocha",
    arguments: (report) => [
      programOf("installs/runners/mocha", "mocha"),
      "--reporter",
      "json",
      "--reporter-option",
      `output=${report}`,
      file,
    ],
    read: readMochaReport,
  });
  expect(ran.outcomes).toEqual(outcomesWith("intercept"));
  expect(ran.notes).toEqual(await notesWith("intercept"));
  expectCleanEnd(ran);
});
