import { execFile } from "node:child_process";
import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { test } from "vitest";
import { isNight } from "../by-night.ts";
import { environmentOfRunner } from "../runners/runner.ts";

const folder = join(import.meta.dirname, "../../.cache/examples");
const shops = readdirSync(folder).filter((name) => existsSync(join(folder, name, "package.json")));

const vitest = ["npx", "vitest", "run", "--testTimeout", "30000", "-t", "a book"];

/** What runs the sunny test of each shop, without its exam. It is what README.md of the examples says. */
const suites: Readonly<Record<string, readonly string[]>> = {
  "express-shop": vitest,
  "fastify-shop": ["node", "--test", "--test-name-pattern", "a book"],
  "hono-shop": vitest,
  "koa-shop": ["npx", "mocha", "--timeout", "30000", "--grep", "a book", "test/*.test.ts"],
  "nest-11-shop": ["npx", "jest", "-t", "a book"],
  "nest-12-shop": vitest,
  "next-shop": vitest,
  // In Debian's Chromium, and beside the shop's whole tests, which empty the folder of their own results.
  "playwright-shop": ["npx", "playwright", "test", "--grep", "paid by card", "--output", "results-of-shake"],
};

/** The likeliest troubles: a few by day, and more by night. A whole shake of one shop takes a quarter of an hour. */
const MOST_RUNS = isNight ? 12 : 3;

test.concurrent.for(shops)("a shake of %s with the packed tarball finds nothing", async (shop, { expect }) => {
  const suite = suites[shop];
  if (suite === undefined) throw new Error(`Say what runs the tests of ${shop}.`);
  const words = ["centavo", "shake", "--json", "--max-runs", String(MOST_RUNS), "--", ...suite];
  const { code, output } = await new Promise<{ code: unknown; output: string }>((resolve) => {
    const options = {
      cwd: join(folder, shop),
      env: { ...environmentOfRunner(), CHROMIUM_PATH: "/usr/bin/chromium-headless-shell" },
      maxBuffer: 2 ** 26,
    };
    execFile("npx", words, options, (error, stdout, stderr) =>
      resolve({ code: error === null ? 0 : error.code, output: error === null ? stdout : stdout + stderr }),
    );
  });
  expect(code, output).toBe(0);
  const { findings, runs, borne } = JSON.parse(output) as {
    readonly findings: readonly unknown[];
    readonly runs: number;
    readonly borne: { readonly count: number };
  };
  expect(findings).toEqual([]);
  expect(runs).toBeGreaterThanOrEqual(MOST_RUNS);
  expect(borne.count).toBeGreaterThan(0);
});
