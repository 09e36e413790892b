import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { expect, test } from "vitest";

const main = join(import.meta.dirname, "../../src/cli/main.ts");

/** Runs the program in a Node that says that it is of another version, and has not what came after Node 20. */
function runAs(version: string): { readonly status: number | null; readonly stdout: string; readonly stderr: string } {
  const pretence = `
    Object.defineProperty(process, "version", { value: "v${version}" });
    Object.defineProperty(process, "versions", { value: { ...process.versions, node: "${version}" } });
    if (${Number.parseInt(version, 10)} < 22) delete Promise.withResolvers;`;
  const preload = `data:text/javascript,${encodeURIComponent(pretence)}`;
  return spawnSync(process.execPath, ["--import", preload, main, "serve", "--help"], { encoding: "utf8" });
}

test.each(["18.20.0", "20.19.4", "22.17.1"])("Node %s is told which Node it takes", (version) => {
  const { status, stdout, stderr } = runAs(version);
  expect({ status, stdout }).toEqual({ status: 2, stdout: "" });
  expect(stderr).toBe(`centavo needs Node 22.18 or newer, and this is v${version}. Install a newer Node.\n`);
});

test.each(["22.18.0", "24.0.0", "100.0.0"])("Node %s is taken", (version) => {
  expect(runAs(version)).toMatchObject({
    status: 0,
    stdout: expect.stringContaining("Usage: centavo serve") as unknown,
  });
});
