import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { describe, expect, test } from "vitest";

const support = (name: string): string => JSON.stringify(new URL(name, import.meta.url).href);

/** Runs a program until its process ends. A leftover that keeps the process alive shows as a test that does not finish. */
async function outputOf(program: string): Promise<string> {
  const prelude = `
    import { createSimulator } from ${support("../../src/index.ts")};
    import { script } from ${support("../journal/script.ts")};
    process.on("unhandledRejection", (reason) => console.log("unhandled", reason));`;
  const { stdout } = await promisify(execFile)(process.execPath, ["--input-type=module", "--eval", prelude + program]);
  return stdout;
}

describe("a process ends even if the simulator is never closed", () => {
  test.each([
    ["under the manual clock", "createSimulator()"],
    ["under the auto clock", 'createSimulator({ clock: "auto" })'],
    ["with a horizon beyond every deadline", 'createSimulator({ clock: { auto: { horizon: "3650 days" } } })'],
  ])("%s", async (_, simulator) => {
    const output = await outputOf(`
      const sim = ${simulator};
      sim.connect("https://shop.example", { listener: (request, response) => { throw new Error("no stock"); } });
      await script(sim);
      console.log("done");`);
    expect(output).toBe("done\n");
  });
});
