import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { expectCleanEnd, notesWith, outcomesWith } from "./expectations.ts";
import { programOf, readJestReport, run, withModules, type RunnerRun } from "./runner.ts";

const lowest = join(import.meta.dirname, "../../installs/runtimes/lowest/node_modules/.bin/node");
const others = {
  ...Object.fromEntries(
    ["one", "two", "three"].map((name) => [`concurrent tests have a world each: ${name}`, "passed"]),
  ),
  "route handlers of Next are called": "passed",
};

function jest(folder: string, nodeOptions: string, node = process.execPath): Promise<RunnerRun> {
  return run({
    folder,
    node,
    nodeOptions,
    arguments: (report) => [programOf("installs/runners/jest", "jest"), "--json", "--outputFile", report],
    read: readJestReport,
  });
}

describe("Jest in CommonJS", () => {
  test("runs simulated tests without interception, several files at a time", async () => {
    const ran = await jest("shop/jest-commonjs", "");
    const { "process of orders": first, "process of concurrent tests": second, ...notes } = ran.notes;
    expect(ran.outcomes).toEqual({ ...outcomesWith("fetch"), ...others });
    expect(notes).toEqual(await notesWith("fetch"));
    expect(first).not.toBe(second);
    expectCleanEnd(ran);
  });

  test.for([
    ["this Node", process.execPath],
    ["the lowest Node", lowest],
  ] as const)("intercepts with --experimental-vm-modules on %s", async ([, node]) => {
    const ran = await jest("shop/jest-commonjs", withModules, node);
    expect(ran.outcomes).toEqual({ ...outcomesWith("intercept"), ...others });
    expect(ran.notes).toMatchObject(await notesWith("intercept"));
    expectCleanEnd(ran);
  });
});

test("Jest intercepts in ES modules", async () => {
  const ran = await jest("shop/jest-modules", withModules);
  expect(ran.outcomes).toEqual(outcomesWith("intercept"));
  expect(ran.notes).toEqual(await notesWith("intercept"));
  expectCleanEnd(ran);
});
