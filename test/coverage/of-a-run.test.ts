import { mkdirSync, mkdtempSync, readdirSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { CoverageReporter } from "centavo/vitest-reporter";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";

let folder = "";
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "centavo-run-"));
  vi.stubEnv("CENTAVO_COVERAGE_FOLDER", undefined);
  vi.stubEnv("CENTAVO_COVERAGE_RUN", undefined);
});
afterEach(() => vi.unstubAllEnvs());

describe("centavo/vitest-reporter", () => {
  test("removes only coverage files, and only directly in its folder", () => {
    mkdirSync(join(folder, "events"));
    for (const path of ["orders.jsonl", "events/1.jsonl", "events/1-0.coverage.jsonl", "1-0.coverage.jsonl"])
      writeFileSync(join(folder, path), "");
    const reporter = new CoverageReporter({ folder, print: false });
    reporter.onInit({ projects: [] });
    reporter.onTestRunStart();
    reporter.onTestRunEnd();
    expect(readdirSync(folder)).toEqual(["all.coverage.jsonl", "events", "orders.jsonl"]);
    expect(readdirSync(join(folder, "events"))).toEqual(["1-0.coverage.jsonl", "1.jsonl"]);
  });
});
