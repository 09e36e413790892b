import { mkdirSync, mkdtempSync, readdirSync, readFileSync, utimesSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createSimulator } from "centavo";
import { simulated } from "centavo/testing";
import type { SimulatedOptions } from "centavo/testing";
import { CoverageReporter } from "centavo/vitest-reporter";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { collect } from "../../src/testing/coverage/collector.ts";

let folder = "";
const before = process.cwd();
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "centavo-"));
  process.chdir(folder);
  vi.stubEnv("CENTAVO_COVERAGE_FOLDER", undefined);
  vi.stubEnv("CENTAVO_COVERAGE_RUN", undefined);
});
afterEach(() => {
  process.chdir(before);
  vi.unstubAllEnvs();
});

const files = (place = ".centavo"): string[] => readdirSync(join(folder, place)).toSorted();

/** Runs a test in a run of its own, as Mocha does. */
async function play(options: SimulatedOptions, fails: boolean): Promise<unknown> {
  const run = simulated(options, ({ sim }) => {
    if (fails) throw new Error(`fails at ${sim.clock.now()}`);
  });
  const context = { test: { fullTitle: () => "pays", parent: {} }, timeout: () => 2000 };
  return run.call(context as unknown as void).catch((error: unknown) => error);
}

test("what a test left when it failed is removed once it passes", async () => {
  await play({ name: "pays" }, true);
  await play({ name: "fails still" }, true);
  expect(files()).toHaveLength(5);
  await play({ name: "pays" }, false);
  expect(files()).toEqual([".gitignore", expect.stringMatching(/\.html$/), expect.stringMatching(/\.json$/)]);
});

test.for([{ recordings: "kept" }, { report: "always" }] as const)("it is removed with %j, too", async (options) => {
  await play({ name: "pays", ...options }, true);
  await play({ name: "pays", ...options }, false);
  const { report = "on failure", recordings = ".centavo" } = options as SimulatedOptions;
  expect(files(String(recordings)).filter((name) => name.endsWith(".json"))).toEqual([]);
  expect(files(String(recordings)).filter((name) => name.endsWith(".html"))).toHaveLength(report === "always" ? 1 : 0);
});

test("a test that passes keeps the files of another test of its name", async () => {
  const both = [true, false].map((fails) =>
    simulated({ name: "pays" }, ({ sim }) => {
      if (fails) throw new Error(`fails at ${sim.clock.now()}`);
    }),
  );
  for (const each of both) await each().catch(() => undefined);
  expect(files()).toHaveLength(3);
});

test("a test that passes creates no folder", async () => {
  await play({ name: "pays" }, false);
  expect(readdirSync(folder)).toEqual([]);
});

test("of old files the newest 200 are kept, and none of the user's is touched", async () => {
  mkdirSync(".centavo");
  const old = new Date("2020-01-01T00:00:00Z");
  const write = (name: string, at?: Date): void => {
    writeFileSync(join(".centavo", name), "");
    if (at !== undefined) utimesSync(join(".centavo", name), at, at);
  };
  for (let index = 0; index < 300; index += 1)
    write(`old-${index.toString(16).padStart(8, "0")}.json`, new Date(old.getTime() + index * 1000));
  for (let index = 0; index < 250; index += 1) write(`new-${index.toString(16).padStart(8, "0")}.html`);
  write("notes.json", old);
  await play({ name: "pays" }, true);
  const left = files();
  // This run may have had as many failures.
  expect(left.filter((name) => name.startsWith("new-"))).toHaveLength(250);
  expect(left.filter((name) => name.startsWith("old-"))).toEqual([]);
  expect(left).toContain("notes.json");
});

test.for([
  ["the reporter", () => new CoverageReporter({ print: false }).onInit({ version: "5.0.0", projects: [] })],
  [
    "the collector alone",
    async () => {
      const stop = collect();
      await createSimulator().fetch("/api/payment-intent", { method: "POST" });
      stop();
    },
  ],
] as const)("git ignores the folder that %s creates, with the recordings that follow", async ([, create]) => {
  await create();
  expect(readFileSync(join(folder, ".centavo/.gitignore"), "utf8")).toBe("*\n");
  await play({ name: "pays" }, true);
  expect(files()).toEqual([".gitignore", "coverage", expect.any(String), expect.any(String)]);
});

test("a folder that was there keeps what it has", async () => {
  mkdirSync(".centavo");
  new CoverageReporter({ print: false }).onInit({ version: "5.0.0", projects: [] });
  await play({ name: "pays" }, true);
  expect(files()).not.toContain(".gitignore");
});
