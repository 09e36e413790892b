import { expect, test } from "vitest";
import { expectCleanEnd } from "./expectations.ts";
import { programOf, readJestReport, run, runVitest, type RunnerRun } from "./runner.ts";

const jest = (): Promise<RunnerRun> =>
  run({
    folder: "shop/jest-matchers",
    arguments: (report) => [programOf("installs/runners/jest", "jest"), "--json", "--outputFile", report],
    read: readJestReport,
  });

const text = (part: RegExp): string => expect.stringMatching(part) as string;

test.for([
  ["Jest", jest],
  ["vitest", () => runVitest(".", "shop/vitest-matchers")],
  ["vitest 4", () => runVitest("installs/runners/vitest-4", "vitest-4/shop/vitest-matchers")],
] as const)("matchers pass, fail and keep snapshots in %s", async ([, runner]) => {
  const ran = await runner();
  expect(ran.outcomes).toEqual({
    "matchers pass": "passed",
    "a status is another": text(/pi_\w+ should have the status "failed"\. Its status is "succeeded"\./),
    "a body is another": text(/should have delivered payment_intent\.succeeded with a body like \{"data":/),
    "a timeline is that of its snapshot": "passed",
    "a timeline is another": text(/snapshot/i),
    "a timeline in the file is another": text(/snapshot/i),
    "a timeline has no opposite": text(/snapshot.*not|"not"/is),
  });
  // The diffs of the runner.
  expect(ran.output).toMatch(/^ *- +"?amount"?: 1,$/m);
  expect(ran.output).toMatch(/^ *\+ +"?amount"?: 10000,$/m);
  expect(ran.output).toMatch(/^ *\+ .*POST \/api\/payment-intent /m);
  expectCleanEnd(ran);
});
