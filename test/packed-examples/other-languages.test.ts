import { execFile } from "node:child_process";
import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { freePort } from "../free-port.ts";
import { environmentOfRunner } from "../runners/runner.ts";

const folder = join(import.meta.dirname, "../../.cache/examples");

/** The shops that are not written for Node, with what runs their tests, and what that prints. */
const shops = [
  ["python-shop", ["python3", "-m", "unittest"], /Ran 2 tests in .*\n\nOK\n$/],
  ["php-shop", ["php", "test_shop.php"], /^✓ a declined .*\n✓ an event .*\n$/],
  ["curl-shop", ["./walk.sh"], /^The membership is active.\nThe membership is past_due.\nThe membership is active.\n$/],
] as const;

test.concurrent.for(shops)("the tests of %s pass with the packed tarball, and leave no process", async (shop) => {
  const [name, [program, ...words], passed] = shop;
  const mark = `EXAMPLE_OF_THIS_RUN=${name}-${process.pid}`;
  const [variable = "", value = ""] = mark.split("=");
  const env = { ...environmentOfRunner(), [variable]: value, PORT: String(await freePort()) };
  const { code, output } = await new Promise<{ code: unknown; output: string }>((resolve) => {
    execFile(program, words, { cwd: join(folder, name), env, timeout: 120_000 }, (error, stdout, stderr) =>
      resolve({ code: error === null ? 0 : error.code, output: stdout + stderr }),
    );
  });
  expect(output).toMatch(passed);
  expect(code, output).toBe(0);
  expect(processesWith(mark)).toEqual([]);
});

/** Returns the commands of the processes that have this in their environment. */
function processesWith(mark: string): readonly string[] {
  return globSync("/proc/[0-9]*").flatMap((path) => {
    try {
      const isMarked = readFileSync(join(path, "environ"), "utf8").split("\0").includes(mark);
      return isMarked ? [readFileSync(join(path, "cmdline"), "utf8").replaceAll("\0", " ")] : [];
    } catch {
      // It has ended meanwhile, or is of another user.
      return [];
    }
  });
}
