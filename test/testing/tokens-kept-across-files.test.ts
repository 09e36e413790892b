import { execFile } from "node:child_process";
import { join } from "node:path";
import { promisify } from "node:util";
import { expect, test } from "vitest";

const folder = join(import.meta.dirname, "files-of-a-shop");
const vitest = join(import.meta.dirname, "../../node_modules/vitest/vitest.mjs");

async function loginsOf(flag: string): Promise<string[]> {
  const { stdout } = await promisify(execFile)(process.execPath, [vitest, "run", "--root", folder, flag], {
    env: { ...process.env, VITEST: undefined, VITEST_POOL_ID: undefined, NO_COLOR: "1" },
  });
  return [...stdout.matchAll(/logins: (\d+ in \d+)/g)].map(([, count = ""]) => count);
}

test("keepTokens reaches as far as the modules of a shop: one file, or all files with --no-isolate", async () => {
  expect(await loginsOf("--isolate")).toEqual(["1 in 1", "1 in 1"]);
  expect(await loginsOf("--no-isolate")).toEqual(["1 in 1", "1 in 2"]);
});
