import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { expect, test } from "vitest";

const main = join(import.meta.dirname, "../../src/cli/main.ts");
const exam = join(import.meta.dirname, "../../src/exam.ts");

interface Ended {
  readonly status: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** Runs Node with these arguments. It says that it is of another version, and has not what came after Node 20. */
function runAs(version: string, ...args: readonly string[]): Ended {
  const pretence = `
    Object.defineProperty(process, "version", { value: "v${version}" });
    Object.defineProperty(process, "versions", { value: { ...process.versions, node: "${version}" } });
    if (${Number.parseInt(version, 10)} < 22) delete Promise.withResolvers;`;
  const preload = `data:text/javascript,${encodeURIComponent(pretence)}`;
  return spawnSync(process.execPath, ["--import", preload, ...args], { encoding: "utf8" });
}

test.each(["18.20.0", "20.19.4", "22.17.1"])("Node %s is told which Node it takes", (version) => {
  const { status, stdout, stderr } = runAs(version, main, "serve", "--help");
  expect({ status, stdout }).toEqual({ status: 2, stdout: "" });
  expect(stderr).toBe(`centavo needs Node 22.18 or newer, and this is v${version}. Install a newer Node.\n`);
});

test("a test that imports centavo/exam is told which Node it takes", () => {
  const { status, stderr } = runAs("20.19.4", "--input-type=module", "--eval", `await import(${JSON.stringify(exam)})`);
  expect(status).toBe(1);
  expect(stderr).toContain("Error: centavo needs Node 22.18 or newer, and this is v20.19.4. Install a newer Node.\n");
});

test.each(["22.18.0", "24.0.0", "100.0.0"])("Node %s is taken", (version) => {
  expect(runAs(version, main, "serve", "--help")).toMatchObject({
    status: 0,
    stdout: expect.stringContaining("Usage: centavo serve") as unknown,
  });
});
