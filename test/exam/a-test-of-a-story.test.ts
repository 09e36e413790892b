import { exam } from "centavo/exam";
import type { Failure, TestOptions, Verdict } from "centavo/exam";
import { expect, test } from "vitest";
import { examOfSmallShop } from "./small-shop.ts";

async function failed(setting: "fail" | "warn"): Promise<readonly [Verdict, Failure]> {
  const verdict = await exam({
    ...examOfSmallShop("no idempotency keys"),
    laws: setting === "warn" ? { "charged-once": "warn" } : {},
    seed: "a test",
    budget: { stories: 60 },
  });
  const failure = [...verdict.failures, ...verdict.warnings].find(({ law }) => law === "charged-once");
  if (failure === undefined) throw new Error("The exam did not find the bug.");
  return [verdict, failure];
}

const lines = (verdict: Verdict, failure: Failure, options: TestOptions): readonly string[] =>
  verdict.testOf(failure, options).split("\n");

test("verdict.testOf writes the story as comments, and the call that plays it, for vitest by default", async () => {
  const [verdict, failure] = await failed("fail");
  const { story, what, token, misunderstanding, remedy } = failure;
  expect(lines(verdict, failure, { exam: "../shop.exam.ts" })).toEqual([
    "// Written by Centavo from stories that broke a law. Each test fails until its story passes.",
    'import { exam } from "centavo/exam";',
    'import { expect, test } from "vitest";',
    'import options from "../shop.exam.ts";',
    "",
    'test("charged-once: A customer pays for an order once, or gets the rest back.", { timeout: 120_000 }, async () => {',
    ...story.map((sentence, index) => `  // ${index + 1}. ${sentence}`),
    `  // → ${what}`,
    "  //",
    `  // Likely misunderstanding: ${misunderstanding}`,
    `  // Remedy: ${remedy}`,
    "  // See node_modules/centavo/docs/guide/laws.md#charged-once",
    "  const verdict = await exam({",
    "    ...options,",
    '    seed: "a test",',
    `    replay: "${token}",`,
    "  });",
    '  const broken = verdict.failures.find(({ law }) => law === "charged-once");',
    "  expect(broken?.what).toBeUndefined();",
    "  expect(verdict.unfinished).toBeUndefined();",
    "});",
    "",
  ]);
});

test("verdict.testOf looks for a law that only warns among the warnings, where it fails the test", async () => {
  const [verdict, failure] = await failed("warn");
  expect(lines(verdict, failure, { exam: "./shop.exam.ts", runner: "node" })).toEqual(
    expect.arrayContaining([
      '  const broken = verdict.warnings.find(({ law }) => law === "charged-once");',
      "  assert.equal(broken?.what, undefined);",
    ]),
  );
});
