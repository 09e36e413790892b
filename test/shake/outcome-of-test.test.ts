import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { outcomeOf } from "../../src/testing/shake/outcome-of-test.ts";
import { folderAbove } from "../../src/testing/shake/source-places.ts";

// What the runners throw, or keep in place of an error.
test.for([
  [
    "vitest",
    new Error("Test timed out in 5000ms.\nIf this is a long-running test, pass a timeout value as the last argument."),
  ],
  ["a hook of vitest", new Error("Hook timed out in 10000ms.\nIf this is a long-running hook, pass a timeout value.")],
  ["Jest", "Exceeded timeout of 5000 ms for a test."],
  ["a hook of Jest", new Error('thrown: "Exceeded timeout of 5 s for a hook."')],
  ["Mocha", new Error('Timeout of 2000ms exceeded. For async tests and hooks, ensure "done()" is called.')],
  ["node:test", "test timed out after 20ms"],
  ["Playwright", new Error("\u001B[31mTest timeout of 30000ms exceeded.\u001B[39m")],
] as const)("a time limit of %s is known as such", ([, error]) => {
  expect(outcomeOf("failed", error).isTooLate).toBe(true);
});

test("what a test says of a time limit is no time limit", () => {
  expect(outcomeOf("failed", new Error("expected 'Test timed out in 5ms' to be 'paid'")).isTooLate).toBeUndefined();
});

test("node:test says of a time limit what is looked for", () => {
  const folder = mkdtempSync(join(tmpdir(), "shake-time-limit-"));
  try {
    writeFileSync(
      join(folder, "slow.test.mjs"),
      `import { afterEach, test } from "node:test";
afterEach((context) => console.log("TOLD " + context.error.cause));
test("slow", { timeout: 1 }, () => new Promise((resolve) => setTimeout(resolve, 100)));`,
    );
    const { NODE_TEST_CONTEXT: _, ...env } = process.env;
    const { stdout } = spawnSync(process.execPath, ["slow.test.mjs"], { cwd: folder, env, encoding: "utf8" });
    const [, told] = /TOLD (.*)/.exec(stdout) ?? [];
    expect(outcomeOf("failed", told)).toMatchObject({ message: "test timed out after 1ms", isTooLate: true });
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});

test("a failure of Jest keeps the values that its first line only announces", () => {
  const message = "\u001B[2mexpect(\u001B[22mreceived\u001B[2m).\u001B[22mtoBe(expected)\n\nExpected: 1\nReceived: 2";
  expect(outcomeOf("failed", new Error(message))).toMatchObject({
    message: "expect(received).toBe(expected)",
    details: "Expected: 1 Received: 2",
  });
});

test("what a matcher of the user's own says is an assertion in Jest, too, and a helper that throws is none", () => {
  const ofMatcher = Object.assign(new Error("The order is not paid."), { matcherResult: { pass: false } });
  expect(outcomeOf("failed", ofMatcher).missesItsSubject).toBeUndefined();
  expect(outcomeOf("failed", new Error("The order is not paid.")).missesItsSubject).toBe(true);
});

test.for([
  ["/shop/node_modules/centavo/dist/esm/testing/shake/source-places.js", "/shop/node_modules/centavo/dist/"],
  ["/home/testing/shake/centavo/src/testing/shake/source-places.ts", "/home/testing/shake/centavo/src/"],
  ["C:\\testing\\shake\\centavo\\dist\\cjs\\testing\\shake\\source-places.js", "C:\\testing\\shake\\centavo\\dist\\"],
  ["/shop/dist/tests.js", undefined],
] as const)("the code of Centavo lies in one folder: %s", ([file, folder]) => {
  expect(folderAbove(file)).toBe(folder);
});
