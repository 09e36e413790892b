import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import * as z from "zod/mini";
import { expectCleanEnd, notesWith, outcomesWith } from "./expectations.ts";
import { programOf, run } from "./runner.ts";

const mochaReport = z.object({
  passes: z.array(z.object({ title: z.string() })),
  failures: z.array(z.object({ title: z.string(), err: z.object({ message: z.string() }) })),
});

test.for([
  ["ES modules", "orders.mjs"],
  ["CommonJS", "orders.cjs"],
] as const)("Mocha runs simulated tests in %s", async ([, file]) => {
  const ran = await run({
    folder: "shop/mocha",
    arguments: (report) => [
      programOf("runners/mocha", "mocha"),
      "--reporter",
      "json",
      "--reporter-option",
      `output=${report}`,
      file,
    ],
    read: (report) => {
      const { passes, failures } = mochaReport.parse(JSON.parse(readFileSync(report, "utf8")));
      return Object.fromEntries([
        ...passes.map(({ title }) => [title, "passed"]),
        ...failures.map(({ title, err }) => [title, err.message]),
      ]) as Record<string, string>;
    },
  });
  expect(ran.outcomes).toEqual(outcomesWith("intercept"));
  expect(ran.notes).toEqual(await notesWith("intercept"));
  expectCleanEnd(ran);
});
