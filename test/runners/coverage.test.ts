import { existsSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { programOf, run } from "./runner.ts";
import type { RunnerRun } from "./runner.ts";
import { byNight } from "../by-night.ts";

const shop = join(import.meta.dirname, "../../.cache/runners/shop/coverage");
const vitest = programOf(".", "vitest");
const jest = programOf("installs/runners/jest", "jest");
/** Arguments that leave tests out, by title and by file. */
const filters = [[["-t", "pm_card_lost"]], ...byNight([[["approved"]]] as const)] as const;

/** Runs a command with these thresholds, and returns what it left in its folder. */
async function runWith(
  name: string,
  args: readonly string[],
  thresholds: Readonly<Record<string, number>> = {},
  copy = "",
): Promise<RunnerRun & { readonly files: readonly string[]; readonly written: string }> {
  const folder = join(shop, `out-${name}-${args.length}-${Object.keys(thresholds).join("-")}`);
  rmSync(folder, { recursive: true, force: true });
  process.env["FOLDER"] = folder;
  process.env["THRESHOLDS"] = JSON.stringify(thresholds);
  const ran = await run({ folder: `${copy}shop/coverage/${name}`, arguments: () => args });
  const files = existsSync(folder) ? readdirSync(folder) : [];
  const written = files.includes("all.coverage.jsonl") ? readFileSync(join(folder, "all.coverage.jsonl"), "utf8") : "";
  return { ...ran, files, written };
}

describe("centavo/vitest-reporter", () => {
  test.for(["forks", "vmThreads", ...byNight(["threads", "vmForks"])])("collects in the pool %s", async (pool) => {
    const ran = await runWith("vitest", [vitest, "run", "--pool", pool]);
    expect(ran.output).toMatch(/States +6 of 23 +26 %/);
    for (const name of ["pm_card_approved", "pm_card_lost", "customer.authenticate"])
      expect(ran.written).toContain(`["outcomes","${name}"]`);
    expect(ran.files).toEqual([".gitignore", "all.coverage.jsonl"]);
    expect(ran.code).toBe(0);
  });

  test("fails a run below its thresholds", async () => {
    const ran = await runWith("vitest", [vitest, "run"], { states: 80, events: 15 });
    expect(ran.output).toContain("Coverage of states is 26 %, and the threshold is 80 %.");
    expect(ran.output).not.toContain("Coverage of events is");
    expect(ran.code).toBe(1);
  });

  test.for(filters)("asks nothing of a run of %s", async ([filter]) => {
    const ran = await runWith("vitest", [vitest, "run", ...filter], { states: 80 });
    expect(ran.output).toContain("Centavo: only some of the tests ran, so thresholds do not count.");
    expect(ran.code, ran.output).toBe(0);
  });

  test("fails a run below its thresholds in vitest 3", async () => {
    const older = programOf("installs/runners/vitest-3", "vitest");
    const ran = await runWith("vitest", [older, "run"], { states: 81 }, "vitest-3/");
    expect(ran.output).toContain("Coverage of states is 26 %, and the threshold is 81 %.");
    expect(ran.code).toBe(1);
  });

  test.for([["2", "2.1.9"], ...byNight([["1", "an older one"]] as const)] as const)(
    "refuses vitest %s, which would pass below every threshold",
    async ([version, named]) => {
      const older = programOf(`installs/runners/vitest-${version}`, "vitest");
      const ran = await runWith("vitest", [older, "run"], {}, `vitest-${version}/`);
      expect(ran.output).toContain(`CoverageReporter needs vitest 3 or later, and this is ${named}. Update vitest, or`);
      expect(ran.code).toBe(1);
    },
  );

  test("is replaced in vitest 2 by the collector as a setup file", async () => {
    const folder = "vitest-2/shop/coverage/vitest";
    const older = programOf("installs/runners/vitest-2", "vitest");
    await run({ folder, arguments: () => [older, "run", "--config", "collector.config.mjs"] });
    const command = join(shop, "../../vitest-2/node_modules/centavo/dist/esm/cli/main.js");
    const { output } = await run({ folder, arguments: () => [command, "coverage"] });
    expect(output).toMatch(/States +6 of 23 +26 %/);
  });

  test("refuses a part that does not exist", async () => {
    const ran = await runWith("vitest", [vitest, "run"], { stats: 80 });
    expect(ran.output).toContain('centavo/vitest-reporter: thresholds has no option "stats". The nearest is "states".');
    expect(ran.code).toBe(1);
  });
});

describe("centavo/jest-reporter", () => {
  test.for([[["-w", "2"]], ...byNight([[["-i"]]] as const)] as const)("collects with %s", async ([options]) => {
    const ran = await runWith("jest", [jest, ...options]);
    expect(ran.output).toMatch(/States +5 of 23 +21 %/);
    for (const name of ["pm_card_approved", "pm_card_lost"]) expect(ran.written).toContain(`["outcomes","${name}"]`);
    expect(ran.files).toEqual([".gitignore", "all.coverage.jsonl"]);
    expect(ran.code).toBe(0);
  });

  test("fails a run below its thresholds", async () => {
    const ran = await runWith("jest", [jest], { states: 80 });
    expect(ran.output).toContain("Coverage of states is 21.7 %, and the threshold is 80 %.");
    expect(ran.code).toBe(1);
  });

  test.for(filters)("asks nothing of a run of %s", async ([filter]) => {
    const ran = await runWith("jest", [jest, ...filter], { states: 80 });
    expect(ran.output).toContain("Centavo: only some of the tests ran, so thresholds do not count.");
    expect(ran.code, ran.output).toBe(0);
  });

  test("begins each run of the watch mode anew, in one process", async () => {
    const { output, code } = await runWith("jest-watch", ["runs.mjs"], { events: 15 });
    expect(code, output).toBe(0);
    const runs = JSON.parse(/^\[.*$/m.exec(output)?.[0] ?? "") as readonly Readonly<Record<string, unknown>>[];
    expect(runs.map(({ paid }) => paid)).toEqual([
      ["pm_card_approved", "pm_card_lost"],
      ["pm_card_lost"],
      ["pm_card_approved"],
      ["pm_card_approved", "pm_card_lost"],
    ]);
    for (const { collectors, nodeOptionsAfterwards, files } of runs)
      expect([collectors, nodeOptionsAfterwards, files]).toEqual([1, "", [".gitignore", "all.coverage.jsonl"]]);
    // A run that saw enough does not fail because the one before it did not.
    expect(runs.map(({ problem }) => problem !== undefined)).toEqual([false, true, true, false]);
  });
});

test("centavo/coverage-collector collects for node:test, and centavo coverage joins the files", async () => {
  rmSync(join(shop, "node-test/.centavo"), { recursive: true, force: true });
  const files = ["approved.test.cjs", "lost.test.cjs"];
  const ran = await run({
    folder: "shop/coverage/node-test",
    arguments: () => ["--import", "centavo/coverage-collector", "--test", ...files],
  });
  expect(ran.code, ran.output).toBe(0);
  expect(readdirSync(join(shop, "node-test/.centavo/coverage"))).toHaveLength(2);
  const told = await run({
    folder: "shop/coverage/node-test",
    arguments: () => [join(shop, "../../node_modules/centavo/dist/esm/cli/main.js"), "coverage"],
  });
  expect(told.output).toMatch(/States +5 of 23 +21 %/);
});
