import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import type { ReportedVariations } from "../../src/report/reported-variations.ts";
import { foldersOfShakes, newFolder, shake } from "./in-own-process.ts";

const suite = ["node", "--test", "test/shake/suites/small-shop.ts"];
const varied = ["--vary", "--only", "http.envelope,http.success-status"];

test("what a suite relies on is listed and fails nothing, replayed alone, and accepted by a baseline", async () => {
  const own = newFolder();
  const page = join(own, "vary.html");
  const told = await shake([...varied, "--json", "--html", page, "--", ...suite], { own });
  expect(told.code).toBe(0);
  const { reliances, free, runs, tests } = JSON.parse(told.out) as ReportedVariations;
  expect({ runs, tests, free }).toEqual({ runs: 3, tests: 1, free: ["http.success-status"] });
  expect(reliances).toMatchObject([{ id: "http.envelope", document: "1", tests: [{ under: "{data}" }] }]);
  expect(reliances[0]?.tests[0]?.what).toContain("'paid'");
  const html = readFileSync(page, "utf8");
  expect(html).toContain("<title>1 test, and 1 answer that tests rely on · Centavo report</title>");
  expect(html).toContain('"runOfFinding":[0]');

  // The token says by itself that an answer is varied.
  const token = reliances[0]?.tests[0]?.token ?? "";
  const replayed = await shake(["--replay", token, "--", ...suite], { own });
  expect(replayed.out).toContain(
    '? 1 of 1 test relies on http.envelope: {"success":true,"data":"{data}"}, which part 1 of the document says.',
  );
  expect(replayed.out).toContain('      under "{data}"\n      → Expected values to be strictly equal');
  expect(replayed.out).toContain(`  Run it alone: npx centavo shake --replay ${token} -- ${suite.join(" ")}`);
  expect(replayed.out).toContain("In 1 run after the first, tests relied on 1 answer.");
  expect(replayed.errors).toContain("✖");
  expect(replayed.code).toBe(0);

  const baseline = join(own, "vary.json");
  writeFileSync(baseline, told.out);
  const accepted = await shake(["--replay", token, "--baseline", baseline, "--", ...suite], { own });
  expect(accepted.out).toContain("○ 1 of 1 test relies on http.envelope");
  expect(accepted.out).toContain("Accepted by the baseline.");
  expect(accepted.code).toBe(0);
  expect(foldersOfShakes(own)).toEqual([]);
});

test("a new reliance fails beside a baseline, or if --fail-on asks for it, and --fail-on never lets it pass", async () => {
  const own = newFolder();
  const baseline = join(own, "vary.json");
  writeFileSync(baseline, '{"reliances":[]}');
  const one = ["--vary", "--only", "http.envelope", "--max-runs", "2"];
  const codes: (number | null)[] = [];
  for (const more of [
    ["--baseline", baseline],
    ["--fail-on", "reliances"],
    ["--baseline", baseline, "--fail-on", "never"],
  ])
    codes.push((await shake([...one, ...more, "--", ...suite], { own })).code);
  expect(codes).toEqual([1, 1, 0]);
});

test("two runs of a suite under other answers print the same bytes, also where several are made at the same time", async () => {
  const words = [...varied, "--json"];
  const { out } = await shake([...words, "--", ...suite]);
  expect((await shake([...words, "--jobs", "2", "--", ...suite])).out).toBe(out);
});

test("vitest runs tests under other answers in every way in which they get a simulator", async () => {
  const vitest = [process.execPath, "node_modules/vitest/vitest.mjs", "run"];
  const config = ["--config", "test/shake/suites/packages/vitest.config.ts"];
  const { out } = await shake([
    "--vary",
    "--only",
    "http.envelope,http.cors",
    "--max-runs",
    "1",
    "--json",
    "--",
    ...vitest,
    ...config,
  ]);
  const { reliances, tests, left, leftOut } = JSON.parse(out) as ReportedVariations;
  expect({ tests, leftOut }).toEqual({ tests: 12, leftOut: [] });
  expect(reliances.map(({ sentence }) => sentence)).toEqual([
    '12 of 12 tests rely on http.envelope: {"success":true,"data":"{data}"}, which part 1 of the document says.',
  ]);
  expect(left).toBe(12);
});

test.for([
  [["--vary", "--only", "http.error-states"], 'The nearest is "http.error-status"'],
  [["--vary", "--only", "auth.jwt"], 'the assumption "auth.jwt" is fixed'],
  [["--vary", "--only", "lost-answers"], "docs/reference/assumptions.md lists all of them"],
  [["--vary", "--blind-spots"], "--vary --blind-spots"],
  [["--vary", "--fail-on", "money"], "--vary --fail-on money"],
  [["--fail-on", "reliances"], "only --vary finds them"],
] as const)("%j is refused", async ([words, message]) => {
  const { errors, code } = await shake([...words, "--", ...suite]);
  expect(errors).toContain(message);
  expect(code).toBe(2);
});
