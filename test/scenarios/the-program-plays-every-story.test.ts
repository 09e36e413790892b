import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { expect, test } from "vitest";

const root = join(import.meta.dirname, "../..");

test("the program plays every story of the repository, each to its frozen digest", () => {
  const program = ["dist/esm/cli/main.js", "run", "scenarios", "--digests", "test/scenarios/digests.json"];
  const { status, stdout } = spawnSync(process.execPath, program, { cwd: root, encoding: "utf8" });
  expect(stdout).toMatch(/(\d+) of \1 stories passed\n$/);
  expect(status).toBe(0);
});
