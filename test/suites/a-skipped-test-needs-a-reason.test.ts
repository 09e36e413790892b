import { spawnSync } from "node:child_process";
import { mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { readReport } from "../../scripts/tally.ts";
import { root } from "../../scripts/suites.ts";

const folder = join(root, ".cache/skipped");
const report = join(folder, "outcomes.json");

/** Runs a file of tests with the reporter of the suites. */
function run(code: string) {
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, "vitest.config.mjs"), "export default {};");
  writeFileSync(join(folder, "a.test.mjs"), `import { beforeAll, describe, test } from "vitest";\n${code}`);
  const reporter = join(root, "scripts/outcomes-reporter.ts");
  const { status, stderr } = spawnSync(
    process.execPath,
    [join(root, "node_modules/vitest/vitest.mjs"), "run", "--reporter", reporter],
    { cwd: folder, encoding: "utf8", env: { ...process.env, OUTCOMES: report } },
  );
  expect(readFileSync(report, "utf8")).toContain("a.test.mjs");
  return { status, stderr, outcomes: Object.values(readReport(report)) };
}

test("a test that says why it is skipped is neither passed nor failed", () => {
  const skips = run('test("a", ({ skip }) => skip("needs Node 26")); test("b", () => {});');
  expect(skips).toMatchObject({ status: 0, outcomes: ["skipped", "passed"] });
});

test("a test that is skipped without a reason has failed", () => {
  const { status, stderr, outcomes } = run('test.skipIf(true)("a", () => {}); test("b", () => {});');
  expect({ status, outcomes }).toEqual({ status: 1, outcomes: ["failed", "passed"] });
  expect(stderr).toContain("Skipped without a reason, which counts as failed: a.test.mjs > a");
});

test("so have the tests that a broken hook skips", () => {
  const code =
    'describe("a", () => { beforeAll(() => new Promise(() => {}), 1); test("b", () => {}); test("c", () => {}); });';
  expect(run(code)).toMatchObject({ status: 1, outcomes: ["failed", "failed"] });
});
