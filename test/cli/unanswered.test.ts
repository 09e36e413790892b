import { execFile } from "node:child_process";
import { mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import type { Ran } from "./commands.ts";

const main = join(import.meta.dirname, "../../src/cli/main.ts");
const late = `sim.faults.add({ kind: "response.late", route: "payment-intent.create", delay: "40 seconds" })`;
const hang = `sim.faults.add({ kind: "request.hang" })`;

/** Runs stories, given as their scripts, in a separate process, because only there a test can see whether the process ends. */
function run(scripts: Readonly<Record<string, string>>, ...options: string[]): Promise<Ran> {
  const folder = mkdtempSync(join(tmpdir(), "centavo-"));
  for (const [name, script] of Object.entries(scripts)) {
    const story = `export default { title: "A story", options: {}, script: async ({ sim, client, clock }) => { ${script} } };`;
    writeFileSync(join(folder, `${name}.mjs`), story);
  }
  return new Promise((resolve) => {
    execFile(process.execPath, [main, "run", folder, ...options], (error, stdout, stderr) =>
      resolve({ code: error === null ? 0 : Number(error.code), text: stdout + stderr }),
    );
  });
}

test("a story that awaits a held call while no one moves the clock fails, and the others run", async () => {
  const awaits = `${late}; await client.paymentIntents.create({ amount: 10000 });`;
  const { code, text } = await run({ awaits, passes: "" }, "--timeout", "0.5");
  expect(text).toMatch(
    /The story has stalled: nothing has happened in it for 0\.5 s[^]*a call is held until [^]*payment-intent\.create/,
  );
  expect(text).toContain("1 of 2 stories passed; failed: awaits");
  expect(code).toBe(1);
});

test("a story that awaits a call forever fails, and names the call that hangs", async () => {
  const hangs = `${hang}; await client.paymentIntents.create({ amount: 10000 });`;
  const { code, text } = await run({ hangs, never: "await new Promise(() => {});" }, "--timeout", "0.5");
  expect(text).toMatch(/It waits for something that never happens[^]*The journal has: [^\n]*request\.hang/);
  expect(text).toContain("0 of 2 stories passed; failed: hangs, never");
  expect(code).toBe(1);
});

test("a story that waits only for AbortSignal.timeout gets its time", async () => {
  const script = `${hang};
    const signal = AbortSignal.timeout(100);
    const end = await fetch(sim.baseUrl + "/oauth", { method: "POST", signal }).catch(({ name }) => name);
    if (end !== "TimeoutError") throw new Error(end);`;
  const { code, text } = await run({ script });
  expect(text).toContain("1 of 1 story passed");
  expect(code).toBe(0);
});

test("a story that leaves a held call unawaited fails, and the process goes on", async () => {
  const leaves = `const fault = ${late}; void client.paymentIntents.create({ amount: 10000 }); await fault.struck();`;
  const { code, text } = await run({ leaves, passes: "" });
  expect(text).toMatch(/failed in .*leaves\.mjs\s+Error: The story left a call unanswered/);
  expect(text).toContain("1 of 2 stories passed; failed: leaves");
  expect(code).toBe(1);
});

test("a story that leaves another rejected promise behind fails for its reason", async () => {
  const { text } = await run({ leaves: `void Promise.reject(new Error("The stock is empty"));`, passes: "" });
  expect(text).toMatch(
    /The story left behind a rejected promise that was never awaited[^]*Caused by: The stock is empty/,
  );
  expect(text).toContain("1 of 2 stories passed; failed: leaves");
});

test("a timeout that is not a number of seconds is refused", async () => {
  const { code, text } = await run({ passes: "" }, "--timeout", "0");
  expect(text).toContain("It is a number of seconds above 0.");
  expect(code).toBe(2);
});
