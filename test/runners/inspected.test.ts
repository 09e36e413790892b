import { globSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test, vi } from "vitest";
import { expectCleanEnd, outcomesWith } from "./expectations.ts";
import { programOf, readJestReport, readMochaReport, readNodeReport, run, runVitest, withModules } from "./runner.ts";
import type { RunnerRun } from "./runner.ts";
import { titlesIn } from "../inspected/signed-in.ts";

const jest = (nodeOptions: string): Promise<RunnerRun> =>
  run({
    folder: "shop/jest-commonjs",
    nodeOptions,
    arguments: (report) => [programOf("installs/runners/jest", "jest"), "--json", "--outputFile", report],
    read: readJestReport,
  });

const mocha = (): Promise<RunnerRun> =>
  run({
    folder: "shop/mocha",
    arguments: (report) => [
      programOf("installs/runners/mocha", "mocha"),
      "--reporter",
      "json",
      "--reporter-option",
      `output=${report}`,
      "orders.cjs",
    ],
    read: readMochaReport,
  });

const nodeTest = (): Promise<RunnerRun> =>
  run({
    folder: "shop/node-test",
    arguments: (report) => [
      "--test",
      "--test-reporter=./reporter.cjs",
      `--test-reporter-destination=${report}`,
      "--test-reporter=spec",
      "--test-reporter-destination=stdout",
      "orders.test.mjs",
      "orders.test.cjs",
    ],
    read: readNodeReport,
  });

interface Way {
  readonly name: string;
  readonly runs: () => Promise<RunnerRun>;
  /** How its tests reach the simulator. */
  readonly kind: "intercept" | "fetch";
  /** What some worlds are called there. */
  readonly titles: readonly string[];
}

const ways: readonly Way[] = [
  ...["forks", "threads", "vmThreads"].map((pool) => ({
    name: `vitest in ${pool}`,
    runs: () => runVitest(".", "shop/vitest", "--pool", pool),
    kind: "intercept" as const,
    titles: ["orders.test.mjs > an order is paid", "with-simulator.test.mjs > withSimulator gives a test its world"],
  })),
  { name: "Jest in CommonJS", runs: () => jest(""), kind: "fetch", titles: ["orders.test.js > an order is paid"] },
  {
    name: "Jest with ES modules",
    runs: () => jest(withModules),
    kind: "intercept",
    titles: ["orders.test.js > an order is paid"],
  },
  { name: "Mocha", runs: mocha, kind: "intercept", titles: ["orders.cjs > an order is paid"] },
  {
    name: "node:test",
    runs: nodeTest,
    kind: "intercept",
    titles: ["orders.test.mjs > an order is paid", "orders.test.cjs > an order is paid"],
  },
];

/** Runs a runner whose user wants to see the worlds, with a folder for temporary files of its own. */
async function inspected(runs: () => Promise<RunnerRun>, ci: string) {
  const temporary = mkdtempSync(join(tmpdir(), "centavo-inspected-"));
  onTestFinished(() => rmSync(temporary, { recursive: true, force: true }));
  vi.stubEnv("CENTAVO_INSPECT", "1");
  vi.stubEnv("CI", ci);
  vi.stubEnv("TMPDIR", temporary);
  const ran = await runs().finally(() => vi.unstubAllEnvs());
  return { ran, folders: () => globSync("centavo-inspector-*/*", { cwd: temporary }), temporary };
}

function addressesIn({ output }: RunnerRun): string[] {
  return Array.from(output.matchAll(/^Centavo inspector: (http.*)$/gm), ([, url = ""]) => url);
}

test.for(ways)("$name: one address is printed, behind which the worlds have the names of their tests", async (way) => {
  const { runs, kind, titles } = way;
  const { ran, folders, temporary } = await inspected(runs, "");
  const [folder = "", ...others] = folders();
  const { pid } = JSON.parse(readFileSync(join(temporary, folder, "inspector.json"), "utf8")) as { pid: number };
  onTestFinished(() => void process.kill(pid, "SIGKILL"));
  expect(others).toEqual([]);
  const [address = "", ...more] = addressesIn(ran);
  expect(more).toEqual([]);
  // The tests themselves do what they do without it.
  expect(ran.outcomes).toMatchObject(outcomesWith(kind));
  expectCleanEnd(ran);
  const listed = await titlesIn(address);
  expect(listed).toEqual(expect.arrayContaining([...titles]));
  expect(new Set(listed).size).toBe(listed.length);
});

test.for(ways)("$name: nothing is left behind after a run in CI", async ({ runs, kind }) => {
  const { ran, folders } = await inspected(runs, "true");
  expect(addressesIn(ran)).toHaveLength(1);
  expect(ran.outcomes).toMatchObject(outcomesWith(kind));
  await vi.waitFor(() => expect(folders()).toEqual([]), { timeout: 30_000, interval: 50 });
});
