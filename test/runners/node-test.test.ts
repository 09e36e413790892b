import { expect, test } from "vitest";
import { expectCleanEnd, notesWith, outcomesWith } from "./expectations.ts";
import { linesOf, run } from "./runner.ts";

interface Reported {
  readonly title: string;
  readonly failure?: string;
}

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
    read: (report) =>
      Object.fromEntries(linesOf<Reported>(report).map(({ title, failure = "passed" }) => [title, failure])),
  });
  const next = files.length > 1 ? { "route handlers of Next are called": "passed" } : {};
  expect(ran.outcomes).toEqual({ ...outcomesWith("intercept"), ...next });
  expect(ran.notes).toEqual(await notesWith("intercept"));
  expectCleanEnd(ran);
});
