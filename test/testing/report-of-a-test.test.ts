import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { simulated } from "centavo/testing";
import type { SimulatedOptions } from "centavo/testing";
import { afterAll, describe, expect, test } from "vitest";
import { runIn } from "../report/read-report.ts";

const folder = mkdtempSync(join(tmpdir(), "centavo-reports-"));
afterAll(() => rmSync(folder, { recursive: true }));

/** Plays a test, and returns the message with which it failed, and the reports that it left. */
async function played(
  options: SimulatedOptions,
  fails = true,
): Promise<{ message: string; reports: string[]; folder: string }> {
  const own = mkdtempSync(join(folder, "test-"));
  const recordings = options.recordings ?? join(own, "runs");
  const run = simulated({ fakeDate: false, name: "pays a book", ...options, recordings }, async ({ client }) => {
    await client.paymentIntents.create({ amount: 49_900 });
    if (fails) throw new Error("the book is not paid");
  });
  const message = await run().then(
    () => "",
    (error: unknown) => (error as Error).message,
  );
  const reports =
    recordings !== false && existsSync(recordings)
      ? readdirSync(recordings).filter((file) => file.endsWith(".html"))
      : [];
  return { message, reports, folder: String(recordings) };
}

describe("a test that fails", () => {
  test("leaves its report beside the recording, and names both", async () => {
    const { message, reports, folder: place } = await played({});
    expect(reports).toEqual([expect.stringMatching(/^pays-a-book-[0-9a-f]{8}\.html$/)]);
    const path = join(place, String(reports[0]));
    expect(message).toContain(`Report: ${path}`);
    const run = runIn(readFileSync(path, "utf8"));
    expect(run).toMatchObject({ outcome: "failed", error: "the book is not paid" });
    expect(run.replay).toBe(`npx centavo replay ${path.replace(".html", ".json")}`);
    expect(run.seed).toContain('the name "pays a book"');
    expect(run.rows.length).toBeGreaterThan(3);
  });

  test.for([[{ report: "never" }], [{ recordings: false }]] as const)("leaves none with %o", async ([options]) => {
    const { message, reports } = await played(options);
    expect(reports).toEqual([]);
    expect(message).not.toContain("Report:");
  });

  test("says why there is no report when it cannot be written", async () => {
    const { message } = await played({ recordings: "/dev/null/runs" });
    expect(message).toMatch(/Report: none, because .*ENOTDIR/);
  });
});

describe("a test that passes", () => {
  test('leaves its report with report: "always"', async () => {
    const { reports, folder: place } = await played({ report: "always" }, false);
    const run = runIn(readFileSync(join(place, String(reports[0])), "utf8"));
    expect(run).toMatchObject({ outcome: "passed", causes: [] });
    expect(run.replay).toBeUndefined();
  });

  test("leaves none otherwise", async () => {
    expect((await played({}, false)).reports).toEqual([]);
  });
});

test("another word than these is refused, with the nearest", () => {
  expect(() => simulated({ report: "on failures" as never }, () => undefined)).toThrow(
    'simulated: the option report is "on failures"; the nearest is "on failure"',
  );
});
