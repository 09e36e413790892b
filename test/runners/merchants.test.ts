import { createRequire } from "node:module";
import { expect, test } from "vitest";
import { programOf, readJestReport, readMochaReport, readNodeReport, run, runVitest } from "./runner.ts";
import type { RunnerRun } from "./runner.ts";

const { merchantTestsWith } = createRequire(import.meta.url)("./shop/merchants/tests.cjs") as {
  readonly merchantTestsWith: (equal: unknown, openMerchant: unknown) => Readonly<Record<string, unknown>>;
};

/** What has to become of the tests of these merchants: all pass. */
function passed(...merchants: readonly string[]): Record<string, string> {
  const titles = Object.keys(merchantTestsWith(undefined, undefined));
  return Object.fromEntries(
    merchants.flatMap((merchant) => titles.map((title) => [`${merchant}: ${title}`, "passed"] as const)),
  );
}

function expectPassed({ outcomes, code, output }: RunnerRun, wanted: Record<string, string>): void {
  expect(outcomes).toEqual(wanted);
  expect(code, output).toBe(0);
}

test("a merchant on Express with axios, and one on Next, are green in vitest", async () => {
  expectPassed(await runVitest(".", "shop/merchants/vitest"), passed("Express and axios", "Next"));
});

test("concurrent tests of concurrent files are green in vitest, at one base URL", async () => {
  const ran = await runVitest(".", "shop/merchants/vitest-concurrent");
  expectPassed(ran, passed("file one, at once", "file two, at once"));
  const processes = ["one", "two"].map((file) => ran.notes[`every test is open in file ${file}`]);
  expect(new Set(processes).size).toBe(2);
});

test("merchants on Koa with superagent, and on Nest with an injected fetch, are green in Jest in CommonJS", async () => {
  const ran = await run({
    folder: "shop/merchants/jest",
    arguments: (report) => [programOf("installs/runners/jest", "jest"), "--json", "--outputFile", report],
    read: readJestReport,
  });
  expectPassed(ran, passed("Koa and superagent", "Nest and fetch"));
});

test("a merchant on Hono with fetch, and one on node:http that outlives the tests of two files, are green in Mocha", async () => {
  const files = ["hono.cjs", "long-lived-1.cjs", "long-lived-2.cjs"];
  const ran = await run({
    folder: "shop/merchants/mocha",
    arguments: (report) => [
      programOf("installs/runners/mocha", "mocha"),
      "--reporter=json",
      `--reporter-option=output=${report}`,
      ...files,
    ],
    read: readMochaReport,
  });
  expectPassed(ran, {
    ...passed("Hono and fetch", "node:http, first file", "node:http, second file"),
    "node:http: the shop has kept its orders and its token": "passed",
  });
});

test("a merchant on Fastify with undici is green in node:test", async () => {
  const ran = await run({
    folder: "shop/merchants/node-test",
    arguments: (report) => [
      "--test",
      "--test-reporter=../../node-test/reporter.cjs",
      `--test-reporter-destination=${report}`,
      "fastify.test.mjs",
    ],
    read: readNodeReport,
  });
  expectPassed(ran, passed("Fastify and undici"));
});
