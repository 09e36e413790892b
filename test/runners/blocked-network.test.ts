import { copyFileSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { programOf, run } from "./runner.ts";

const refusal =
  'Centavo refused a connection to api.pay.example:443, because centavo/no-network blocks the network. It comes from code that the test "leaves a poller" left running: stop its timers';

/** What the runner says of the two tests, which pass: the error of the poller is swallowed. */
test.each([
  ["vitest", ["vitest"], "2 passed"],
  ["vitest by its reporter", ["vitest-reporter"], "2 passed"],
  ["Jest", ["jest"], "2 passed"],
  ["Jest by its reporter", ["jest-reporter"], "2 passed"],
  ["node:test", ["node-test"], "pass 2"],
])("a poller that a test left behind fails a run of %s, which names the test", async (_, [folder = ""], passed) => {
  const { output, code } = await run({ folder: `shop/blocked/${folder}`, arguments: () => argumentsIn(folder) });
  expect(output).toContain(refusal);
  expect(output).toContain(passed);
  expect(code).toBe(1);
});

test("a poller that a test left behind fails a run of Mocha, which names the test", async () => {
  const { output, code } = await run({ folder: "shop/blocked/mocha", arguments: () => argumentsIn("mocha") });
  expect(output).toContain(refusal);
  expect(code).not.toBe(0);
});

test("a run of Jest keeps nothing of the test files that have ended", async () => {
  const files = 12;
  const folder = join(import.meta.dirname, "../../.cache/runners/shop/blocked/jest-with-files");
  mkdirSync(folder);
  copyFileSync(join(folder, "../jest/package.json"), join(folder, "package.json"));
  for (let number = 0; number < files; number += 1)
    writeFileSync(join(folder, `${number}.test.js`), 'require("centavo"); test("passes", () => undefined);');
  const { output } = await run({
    folder: "shop/blocked/jest-with-files",
    arguments: () => ["--expose-gc", ...argumentsIn("jest"), "--runInBand", "--logHeapUsage"],
  });
  const heap = Array.from(output.matchAll(/(\d+) MB heap size/g), ([, megabytes]) => Number(megabytes));
  expect(heap).toHaveLength(files);
  // The first files compile what all of them use. A file with Centavo in it has more than two megabytes.
  expect((heap.at(-1) ?? 0) - (heap[3] ?? 0), `of ${heap.join(", ")}`).toBeLessThan(files - 4);
});

function argumentsIn(folder: string): readonly string[] {
  if (folder.startsWith("vitest")) return [programOf(".", "vitest"), "run"];
  if (folder.startsWith("jest")) return [programOf("installs/runners/jest", "jest")];
  if (folder === "mocha")
    return [programOf("installs/runners/mocha", "mocha"), "--require", "centavo/no-network", "stray.cjs"];
  return ["--import", "centavo/no-network", "--test"];
}
