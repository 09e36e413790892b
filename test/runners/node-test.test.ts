import { expect, test } from "vitest";
import { expectCleanEnd, notesWith, outcomesWith } from "./expectations.ts";
import { readNodeReport, run } from "./runner.ts";

test.for([
  ["ES modules", ["orders.test.mjs", "next-app.test.mjs"], ""],
  ["CommonJS whose require() knows no ES modules", ["orders.test.cjs"], "--no-experimental-require-module"],
] as const)("node:test runs simulated tests in %s", async ([, files, nodeOptions]) => {
  const ran = await run({
    folder: "shop/node-test",
    nodeOptions,
    arguments: (report) => [
      "--test",
      "--test-reporter=./reporter.cjs",
      `--test-reporter-destination=${report}`,
      "--test-reporter=spec",
      "--test-reporter-destination=stdout",
      ...files,
    ],
    read: readNodeReport,
  });
  const next = files.length > 1 ? { "route handlers of Next are called": "passed" } : {};
  expect(ran.outcomes).toEqual({ ...outcomesWith("intercept"), ...next });
  expect(ran.notes).toEqual(await notesWith("intercept"));
  expectCleanEnd(ran);
});
