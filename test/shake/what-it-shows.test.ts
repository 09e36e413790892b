import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { centavoIn } from "../cli/commands.ts";
import type { ReportedShake } from "../../src/report/reported-shake.ts";
import { findingsInLines, summaryInLines } from "../../src/shake/in-words.ts";

const repository = join(import.meta.dirname, "../..");
const suite = "node --test test/shake/suites/hasty-shop.ts";
const shop = { file: "test/shake/suites/hasty-shop.ts" };

/** Where the processes of the suite leave what they went through. */
const coverage = mkdtempSync(join(tmpdir(), "shake-coverage-"));
afterAll(() => rmSync(coverage, { recursive: true, force: true }));

let told: ReportedShake & { readonly passed: boolean; readonly exitCode: number };

beforeAll(() => {
  const words = ["--only", "lost-answers,events-twice", "--max-runs", "4", "--json", "--", ...suite.split(" ")];
  const { stdout } = spawnSync(process.execPath, ["src/cli/main.ts", "shake", ...words], {
    cwd: repository,
    env: {
      ...process.env,
      TITLE: "reads \u001B[31mevents",
      NODE_OPTIONS: `--import=${pathToFileURL(join(repository, "src/coverage-collector.ts")).href}`,
      CENTAVO_COVERAGE_FOLDER: coverage,
    },
    encoding: "utf8",
  });
  told = JSON.parse(stdout) as typeof told;
});

describe("the JSON document of a shake", () => {
  test("holds the findings, the worst first, each with what it did to the money and the command that runs it alone", () => {
    expect(told).toMatchObject({ passed: false, exitCode: 1, suite, tests: 4, runs: 4 });
    const [money, parcels, ...others] = told.findings;
    expect(others).toEqual([]);
    expect(money).toMatchObject({
      kind: "money",
      sentence: "The service does what the call payment-intent.confirm asks, but its answer is lost.",
      at: "POST /api/payment-intent/{intentId}/confirm",
      brief: "charged twice, ₱998.00 for order-1, and more (money taken, test red in 2 of 3)",
      amount: 3 * 49_900,
      law: "charged-once",
      page: "docs/guide/laws.md#charged-once",
      misunderstanding: expect.stringContaining("A call without an answer did nothing") as string,
      remedy: expect.stringContaining("one Idempotency-Key") as string,
      isAccepted: false,
    });
    expect(money?.tests[1]).toMatchObject({
      ...shop,
      test: "the hasty shop > a customer pays by card",
      what: ["order-1 was charged twice, ₱998.00 in all, and without the trouble once."],
      isNoticed: false,
    });
    for (const { token, command } of money?.tests ?? [])
      expect(command).toBe(`npx centavo shake --replay ${token} -- ${suite}`);
    expect(parcels).toMatchObject({ kind: "test", brief: "it fails", law: "fulfilled-once" });
    expect(parcels?.tests[0]?.what).toEqual(["Expected values to be strictly equal: 2 !== 1"]);
  });

  test("holds what was borne by kind, what was not tried, each with its reason, and the tests that fail already", () => {
    expect(told.borne).toMatchObject({ count: 6, tests: 3 });
    expect(told.borne.kinds.map(({ kind, count }) => [kind, count])).toEqual([
      ["lost-answers", 3],
      ["events-twice", 3],
    ]);
    expect(told.countsOnIt).toMatchObject([
      {
        why: expect.stringMatching(
          /^its assertion reads what only Centavo knows \(test\/shake\/suites\/hasty-shop\.ts:\d+\)$/,
        ) as string,
        tests: [{ ...shop, test: "the hasty shop > reads \u001B[31mevents" }],
      },
    ]);
    expect(told.untried.map(({ why, count }) => [why, count])).toEqual([
      ["the test does not move its clock by 2 seconds after the event", 6],
      ["the test does not move its clock by 1 minute after the event", 6],
    ]);
    expect(told.failedAlready).toEqual([
      { ...shop, test: "the hasty shop > a customer goes away", message: "This test fails already." },
    ]);
    expect(told.left).toBeGreaterThan(0);
  });
});

test("centavo coverage counts the faults that a shake made, over all its runs", async () => {
  const { text, code } = await centavoIn(repository, "coverage", coverage, "--json");
  const { faults, doubts } = JSON.parse(text) as { faults: { seen: string[] }; doubts: string[] };
  expect([code, doubts]).toEqual([0, []]);
  expect(faults.seen).toEqual(["response.lost", "webhook.duplicate"]);
});

describe("the words of a shake", () => {
  test("hold what the JSON document holds", () => {
    const words = findingsInLines(told).slice(0, 11).join("\n");
    expect(words).toMatchInlineSnapshot(`
      "✗ The service does what the call payment-intent.confirm asks, but its answer is lost. (POST /api/payment-intent/{intentId}/confirm)
          3 of 4 tests: charged twice, ₱998.00 for order-1, and more (money taken, test red in 2 of 3)
          test/shake/suites/hasty-shop.ts > the hasty shop > a customer gets one parcel
            → order-1 was charged twice, ₱998.00 in all, and without the trouble once.
          test/shake/suites/hasty-shop.ts > the hasty shop > a customer pays by card
            → order-1 was charged twice, ₱998.00 in all, and without the trouble once.
          test/shake/suites/hasty-shop.ts > the hasty shop > reads \\u001b[31mevents
            → order-2 was charged twice, ₱998.00 in all, and without the trouble once.
        Likely misunderstanding: A call without an answer did nothing, and customers click once.
        Remedy: Give each order one Idempotency-Key, store it before the call, and read the payment's status before you try again. Refund a second payment. node_modules/centavo/docs/guide/laws.md#charged-once
        Run it alone: npx centavo shake --replay WyIwZTM1ZWRkNjdiMTM2N2RiIiwiY2FsbCIsInBheW1lbnQtaW50ZW50LmNvbmZpcm0iLDEsInJlc3BvbnNlLmxvc3QiXQ -- node --test test/shake/suites/hasty-shop.ts"
    `);
    expect(summaryInLines(told).join("\n")).toMatchInlineSnapshot(`
      "In 4 runs after the first, 6 troubles in 3 tests were borne: the test stayed green, and nobody paid too much.
      This test counts on it:
          2 troubles: its assertion reads what only Centavo knows (test/shake/suites/hasty-shop.ts:68)
      Could not be tried, and --json lists them:
          6 troubles: the test does not move its clock by 2 seconds after the event
          6 troubles: the test does not move its clock by 1 minute after the event
      42 troubles had no run left: give more --seconds or --max-runs.
      Left out, because it fails without any trouble:
          test/shake/suites/hasty-shop.ts > the hasty shop > a customer goes away
            → This test fails already."
    `);
  });

  test("cut a long list of tests, troubles and reasons, and say how much is left out", () => {
    const [finding] = told.findings;
    if (finding === undefined) throw new Error("There is no finding.");
    const [first] = finding.tests;
    if (first === undefined) throw new Error("The finding has no test.");
    const tests = Array.from({ length: 40 }, (_, index) => ({ ...first, test: `test ${index}` }));
    const also = Array.from({ length: 5 }, (_, index) => `Trouble ${index}.`);
    const lines = findingsInLines({ ...told, findings: [{ ...finding, tests, also }] });
    expect(lines.filter((line) => line.includes("> test "))).toHaveLength(5);
    expect(lines).toContain("    and 35 more tests");
    expect(lines).toContain("  and 2 more troubles");
    const [reason] = told.untried;
    if (reason === undefined) throw new Error("Everything was tried.");
    const untried = Array.from({ length: 30 }, (_, index) => ({ ...reason, why: `it is the ${index}th` }));
    const failedAlready = tests.map(({ test: title }) => ({ test: title, message: "no" }));
    const summary = summaryInLines({ ...told, untried, failedAlready });
    expect(summary).toContain("    and for 22 more reasons");
    expect(summary).toContain("    and 30 more tests");
  });
});
