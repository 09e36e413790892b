import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createSimulator } from "centavo";
import { afterAll, describe, expect, test, vi } from "vitest";

const folder = mkdtempSync(join(tmpdir(), "centavo-report-"));
afterAll(() => rmSync(folder, { recursive: true }));

describe("sim.report(path)", () => {
  test("writes what it returns, in folders that it creates", async () => {
    const path = join(folder, "of/a run/report.html");
    const html = await createSimulator().report(path);
    expect(readFileSync(path, "utf8")).toBe(html);
  });

  test.for([
    ["", "names no file"],
    [7, "names no file"],
    [folder, "cannot be written"],
    ["/dev/null/report.html", "cannot be written"],
  ] as const)("refuses %s", async ([path, why]) => {
    await expect(createSimulator().report(path as string)).rejects.toMatchObject({
      code: "INVALID_OPTION",
      message: expect.stringContaining(why) as string,
    });
  });

  test("refuses a path where there is no file system, and gives the text without one", async () => {
    const sim = createSimulator();
    const getBuiltin = vi.spyOn(process, "getBuiltinModule").mockReturnValue(undefined);
    try {
      await expect(sim.report("report.html")).rejects.toMatchObject({
        code: "INVALID_STATE",
        message: expect.stringContaining("Call sim.report() without a path") as string,
      });
      expect(await sim.report()).toMatch(/^<!doctype html>/);
    } finally {
      getBuiltin.mockRestore();
    }
  });
});
