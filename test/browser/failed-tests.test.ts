import { execFile } from "node:child_process";
import { readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import type { Browser } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { byNight } from "../by-night.ts";
import { installPacked } from "../packed.ts";
import { environmentOfRunner, programOf } from "../runners/runner.ts";
import { launch, open } from "./browser.ts";

/** What tests throw, and the text that the panel of the error must have. */
const thrown: readonly (readonly [title: string, code: string, panel: string])[] = [
  ["an-assertion", `assert.equal("open", "paid", "the order is open")`, "the order is open"],
  ["a-refusal", `await sim.clock.advance("3 dais")`, `"3 dais"`],
  ["an-error", `throw new Error("the shop is closed")`, "the shop is closed"],
  ["an-error-without-words", `throw new TypeError()`, "TypeError"],
  ["an-object", `throw { status: 503 }`, "503"],
  ["a-text", `throw "out of stock"`, "out of stock"],
];

/** Each runner's file of these tests, its own assertion among them, and the arguments of Node that run it. */
const runners = {
  vitest: {
    file: "failing.test.mjs",
    head: `import assert from "node:assert";
import { withSimulator } from "centavo/vitest";
import { expect, test as base } from "vitest";
const test = withSimulator(base);`,
    testOf: (title: string, code: string) => `test("${title}", async ({ sim }) => { sim.clock.now(); ${code} });`,
    own: [`expect({ status: "open" }).toEqual({ status: "paid" })`, "expected { status: 'open' } to deeply equal"],
    program: () => [programOf(".", "vitest"), "run"],
  },
  Jest: {
    file: "failing.test.js",
    head: `const assert = require("node:assert"); const { simulated } = require("centavo/testing");`,
    testOf: simulatedTest,
    own: [`expect({ status: "open" }).toEqual({ status: "paid" })`, "expect(received).toEqual(expected)"],
    // Colours of its matchers must not stand in the panel as escapes.
    program: () => [programOf("installs/runners/jest", "jest"), "--colors", "--testMatch", "**/failing.test.js"],
  },
  Mocha: {
    file: "failing.cjs",
    head: `const assert = require("node:assert"); const { simulated } = require("centavo/testing"); const test = it;`,
    testOf: simulatedTest,
    own: [`assert.equal("open", "paid")`, "'open' == 'paid'"],
    program: () => [programOf("installs/runners/mocha", "mocha"), "failing.cjs"],
  },
  "node:test": {
    file: "failing-in-node.test.mjs",
    head: `import assert from "node:assert"; import { test } from "node:test"; import { simulated } from "centavo/testing";`,
    testOf: simulatedTest,
    own: [`assert.deepEqual(["open"], ["paid"])`, "loosely deep-equal"],
    program: () => ["--test", "failing-in-node.test.mjs"],
  },
} as const;

function simulatedTest(title: string, code: string): string {
  return `test("${title}", simulated({ name: "${title}" }, async ({ sim }) => { sim.clock.now(); ${code}; }));`;
}

const names = ["vitest", "node:test", ...byNight(["Jest", "Mocha"] as const)] as const;

let browser: Browser;

beforeAll(async () => {
  browser = await launch();
});
afterAll(async () => browser.close());

describe("the report of a test that failed", () => {
  test.for(names)("in %s shows its error in words", async (name) => {
    const runner = runners[name];
    const { folder } = installPacked(`browser-${name.replace(":", "-")}`);
    const [own, ownPanel] = runner.own;
    const tests = [...thrown, ["an-assertion-of-its-own", own, ownPanel] as const];
    const written = tests.map(([title, code]) => runner.testOf(title, code));
    writeFileSync(join(folder, runner.file), [runner.head, ...written].join("\n"));
    const printed = await output(folder, runner.program());

    const reports = readdirSync(join(folder, ".centavo")).filter((file) => file.endsWith(".html"));
    expect(reports.length, printed).toBe(tests.length);
    for (const [title, , words] of tests) {
      const file = reports.find((each) => new RegExp(`${title}-[0-9a-f]{8}\\.html$`).test(each)) ?? "";
      const { page, complaints } = await open(browser, pathToFileURL(join(folder, ".centavo", file)).href);
      const panel = await page.getByLabel("The error of the test").innerText();
      expect(panel, title).toContain(words);
      expect(await page.locator("body").innerText(), title).not.toMatch(
        /cannot be read as text|\[object \w+\]|\\u001b|undefined/,
      );
      expect(complaints).toEqual([]);
    }
  });
});

async function output(cwd: string, program: readonly string[]): Promise<string> {
  return new Promise((resolve) => {
    execFile(
      process.execPath,
      [...program],
      { cwd, env: { ...environmentOfRunner(), FORCE_COLOR: "1" } },
      (_, out, errors) => resolve(out + errors),
    );
  });
}
