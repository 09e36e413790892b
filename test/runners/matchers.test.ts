import { expect, test } from "vitest";
import { expectCleanEnd } from "./expectations.ts";
import { programOf, readJestReport, run, runVitest, withModules, type RunnerRun } from "./runner.ts";
import { byNight } from "../by-night.ts";

const jest = (folder: string, nodeOptions = ""): Promise<RunnerRun> =>
  run({
    folder,
    nodeOptions,
    arguments: (report) => [programOf("installs/runners/jest", "jest"), "--json", "--outputFile", report],
    read: readJestReport,
  });

const text = (part: RegExp): string => expect.stringMatching(part) as string;

test.for([
  ["Jest in CommonJS", () => jest("shop/jest-matchers")],
  ["vitest", () => runVitest(".", "shop/vitest-matchers")],
  ...byNight([
    ["Jest in ES modules", () => jest("shop/jest-modules-matchers", withModules)],
    ["vitest 4", () => runVitest("installs/runners/vitest-4", "vitest-4/shop/vitest-matchers")],
  ] as const),
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

test.for(["1", "4.0", ...byNight(["2", "3"])])(
  "vitest %s has no snapshots for matchers, and those of timelines say what to write instead",
  async (version) => {
    const ran = await runVitest(`installs/runners/vitest-${version}`, `vitest-${version}/shop/vitest-matchers`);
    const instead = (matcher: string, snapshot: string): string =>
      expect.stringContaining(
        `${matcher} needs vitest 4.1 or newer: this version has no snapshots for matchers. ` +
          `Until then, write expect(timelineOf(sim)).${snapshot}(), with timelineOf from "centavo/testing".\n`,
      ) as string;
    expect(ran.output).toContain(`v${version}.`);
    expect(ran.outcomes).toEqual({
      "matchers pass": "passed",
      "a status is another": text(/should have the status "failed"/),
      "a body is another": text(/should have delivered payment_intent\.succeeded with a body like/),
      "a timeline is that of its snapshot": instead("toMatchTimeline", "toMatchSnapshot"),
      "a timeline is another": instead("toMatchTimeline", "toMatchSnapshot"),
      "a timeline in the file is another": instead("toMatchInlineTimeline", "toMatchInlineSnapshot"),
      "a timeline has no opposite": instead("toMatchTimeline", "toMatchSnapshot"),
    });
    expectCleanEnd(ran);
  },
);
