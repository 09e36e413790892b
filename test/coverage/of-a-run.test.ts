import { mkdirSync, mkdtempSync, readdirSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createSimulator } from "centavo";
import { fixtures } from "centavo/fixtures";
import { CoverageReporter } from "centavo/vitest-reporter";
import { afterEach, beforeEach, describe, expect, onTestFinished, test, vi } from "vitest";
import { centavoIn } from "../cli/commands.ts";
import { collect } from "../../src/testing/coverage/collector.ts";

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
    reporter.onInit({ version: "5.0.0", projects: [] });
    reporter.onTestRunStart();
    reporter.onTestRunEnd();
    expect(readdirSync(folder)).toEqual(["all.coverage.jsonl", "events", "orders.jsonl"]);
    expect(readdirSync(join(folder, "events"))).toEqual(["1-0.coverage.jsonl", "1.jsonl"]);
  });

  test("keeps what every run of a shake leaves, which centavo coverage joins", async () => {
    const faults = async (): Promise<string> => {
      const { text } = await centavoIn(folder, "coverage", "seen", "--json");
      return JSON.stringify((JSON.parse(text) as { faults: { seen: string[] }; doubts: string[] }).faults.seen);
    };
    const [seen, shake] = ["seen", "shake"].map((name) => join(folder, name)) as [string, string];
    mkdirSync(seen);
    writeFileSync(join(seen, "of-an-earlier-run.coverage.jsonl"), "");
    vi.stubEnv("CENTAVO_SHAKE_FOLDER", shake);
    for (const [run, kind] of ["webhook.duplicate", "webhook.drop"].entries()) {
      vi.stubEnv("CENTAVO_SHAKE_RUN", String(run));
      const reporter = new CoverageReporter({ folder: seen, thresholds: { states: 100 } });
      reporter.onInit({ version: "5.0.0", projects: [] });
      reporter.onTestRunStart();
      const stop = collect();
      onTestFinished(stop);
      const sim = createSimulator({ webhookUrl: "https://shop.example/hooks" });
      sim.connect("https://shop.example", () => new Response());
      sim.faults.add({ kind: kind as "webhook.drop" });
      await fixtures(sim).intent({ status: "succeeded" });
      await sim.clock.settle();
      stop();
      reporter.onTestRunEnd();
    }
    expect(process.exitCode).toBeUndefined();
    vi.stubEnv("CENTAVO_SHAKE_FOLDER", undefined);
    expect(await faults()).toBe('["webhook.drop","webhook.duplicate"]');
  });

  test("leaves projects in browser mode alone", () => {
    const inNode = { setupFiles: [] };
    const inBrowser = { setupFiles: [], browser: { enabled: true } };
    new CoverageReporter({ folder }).onInit({
      version: "5.0.0",
      projects: [{ config: inNode }, { config: inBrowser }],
    });
    expect([inNode.setupFiles.length, inBrowser.setupFiles.length]).toEqual([1, 0]);
  });
});

describe("The collector", () => {
  const file = `${process.pid}-0.coverage.jsonl`;
  const before = process.cwd();
  let stop: () => void;
  afterEach(() => {
    stop();
    process.chdir(before);
  });

  test("writes where the process began, also after a test has changed its folder", async () => {
    process.chdir(folder);
    stop = collect();
    process.chdir(tmpdir());
    await createSimulator().fetch("/api/payment-intent", { method: "POST" });
    expect(readdirSync(join(folder, ".centavo/coverage"))).toEqual([file]);
  });

  test("removes an unreadable file of another process that had its id", () => {
    vi.stubEnv("CENTAVO_COVERAGE_FOLDER", folder);
    writeFileSync(join(folder, file), "[]\n");
    stop = collect();
    expect(readdirSync(folder)).toEqual([]);
  });

  test("says so when it can no longer write", async () => {
    const printed = vi.spyOn(console, "error").mockReturnValue();
    writeFileSync(join(folder, "taken"), "");
    vi.stubEnv("CENTAVO_COVERAGE_FOLDER", join(folder, "taken"));
    stop = collect();
    await createSimulator().fetch("/api/payment-intent", { method: "POST" });
    expect(printed.mock.calls.flat().join("\n")).toMatch(
      /^Centavo no longer collects coverage, because .* cannot be written: /,
    );
    printed.mockRestore();
  });
});
