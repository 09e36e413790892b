import { exam } from "centavo/exam";
import type { ExamOptions } from "centavo/exam";
import "centavo/vitest";
import { expect, test } from "vitest";
import { openSmallShop } from "./small-shop.ts";
import type { Orders } from "./small-shop.ts";

const shop = {
  open: openSmallShop,
  acts: { order: ({ visit, id, method }) => visit("POST", "/orders", { id, method }) },
  books: ({ store }) => ({ orders: [...store.values()] }),
} satisfies ExamOptions<Orders>;

async function warningsOf(budget: NonNullable<ExamOptions<Orders>["budget"]>): Promise<readonly string[]> {
  const warnings: string[] = [];
  const hear = ({ message }: Error): void => void warnings.push(message);
  process.on("warning", hear);
  const stop = {
    name: "stop",
    breaches: () => [{ what: "enough" }],
    sentence: "None.",
    remedy: "None.",
    holds: "always",
  } as const;
  await exam<Orders>({ ...shop, laws: { stop }, budget: { ...budget, failures: 1 } });
  // Node tells of a warning in the next turn.
  await new Promise(setImmediate);
  process.off("warning", hear);
  return warnings;
}

test(
  "an exam that may outlast its test says which timeout to set, before the runner ends the test",
  { timeout: 60_000 },
  async () => {
    expect(await warningsOf({ seconds: 70.5 })).toEqual([
      'exam() may take 70.5 seconds, and this test ends after 60. Give the test more time: test("…", { timeout: 220_000 }, …).',
    ]);
  },
);

test("an exam with the budget of its own says how long its first round may take", { timeout: 9000 }, async () => {
  expect(await warningsOf({})).toEqual([
    'exam() may take 60 seconds, and this test ends after 9. Give the test more time: test("…", { timeout: 180_000 }, …).',
  ]);
});

test("an exam that ends before its test says nothing", { timeout: 60_000 }, async () => {
  expect(await warningsOf({ seconds: 59 })).toEqual([]);
});

test("an exam in a test without a limit says nothing", { timeout: 0 }, async () => {
  expect(await warningsOf({ seconds: 70 })).toEqual([]);
});
