import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import { Merchant } from "../merchant.ts";
import { runIn, runsIn } from "../report/read-report.ts";
import { centavo, centavoIn } from "./commands.ts";

const folder = mkdtempSync(join(tmpdir(), "centavo-report-command-"));
afterAll(() => rmSync(folder, { recursive: true }));

const reportAt = (name: string): string => readFileSync(join(folder, name), "utf8");

async function record(name: string, change = (text: string): string => text): Promise<void> {
  const merchant = await Merchant.open();
  await merchant.pay();
  await merchant.sim.clock.settle();
  writeFileSync(join(folder, name), change(JSON.stringify(merchant.sim.recording())));
}

describe("centavo report", () => {
  test("writes the report of a recording beside it", async () => {
    await record("paid.json");
    const { code, text } = await centavoIn(folder, "report", "paid.json");
    expect([code, text]).toEqual([0, "Wrote the report paid.html."]);
    const run = runIn(reportAt("paid.html"));
    expect(run).toMatchObject({ title: "paid.json", replay: "npx centavo replay paid.json", notes: [] });
    expect(run.resources[0]?.status).toBe("succeeded");
    expect(run.rows.flatMap(({ parts }) => parts).length).toBeGreaterThan(5);
  });

  test("writes it where --out says", async () => {
    await record("other.json");
    const { code } = await centavoIn(folder, "report", "other.json", "--out", "reports/one.html");
    expect([code, runsIn(reportAt("reports/one.html")).length]).toEqual([0, 1]);
  });

  test("shows a run that diverges up to there, and why", async () => {
    await record("diverging.json", (text) => text.replace(/"digest":"[0-9a-f]{8}/, '"digest":"00000000'));
    const { code, text } = await centavoIn(folder, "report", "diverging.json");
    expect(code).toBe(1);
    const { outcome, error = "", notes } = runIn(reportAt("diverging.html"));
    expect(outcome).toBe("failed");
    expect(notes).toEqual([expect.stringContaining("Headers and bodies are not complete")]);
    expect(text).toContain(error.slice(0, 80));
  });

  test("refuses what is not a recording, and a place where nothing can be written", async () => {
    expect(await centavoIn(folder, "report", "none.json")).toMatchObject({ code: 2 });
    await record("good.json");
    const { code, text } = await centavoIn(folder, "report", "good.json", "--out", "good.json/report.html");
    expect(code).toBe(2);
    expect(text).toContain("The report good.json/report.html cannot be written: ");
  });
});

test("centavo replay --report writes the report of what it played", async () => {
  await record("replayed.json");
  const { code, text } = await centavoIn(folder, "replay", "replayed.json", "--quiet", "--report", "replayed.html");
  expect(code).toBe(0);
  expect(text).toContain("Wrote the report replayed.html.");
  expect(runIn(reportAt("replayed.html")).rows.length).toBeGreaterThan(10);
});

test("centavo run --report shows all stories in one document, with their headings", async () => {
  const file = join(folder, "stories.html");
  const { code } = await centavo("run", "stories", "--quiet", "--report", file);
  const runs = runsIn(readFileSync(file, "utf8"));
  expect(code).toBe(1);
  expect(new Set(runs.map(({ outcome }) => outcome))).toEqual(new Set(["passed", "failed"]));
  expect(runs.every(({ replay = "" }) => replay.startsWith("npx centavo run "))).toBe(true);
  expect(runs.flatMap(({ asides }) => asides).length).toBeGreaterThan(0);
});
