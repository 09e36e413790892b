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

function argumentsIn(folder: string): readonly string[] {
  if (folder.startsWith("vitest")) return [programOf(".", "vitest"), "run"];
  if (folder.startsWith("jest")) return [programOf("installs/runners/jest", "jest")];
  if (folder === "mocha")
    return [programOf("installs/runners/mocha", "mocha"), "--require", "centavo/no-network", "stray.cjs"];
  return ["--import", "centavo/no-network", "--test"];
}
