import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { expect, test } from "vitest";

const source = (name: string): string => JSON.stringify(new URL(`../../src/${name}`, import.meta.url).href);

/** Runs a program in a process of its own, which nothing but the program keeps alive. */
async function outputOf(program: string): Promise<string> {
  const prelude = `
    import { request } from "node:https";
    import { createSimulator } from ${source("index.ts")};
    import { intercept } from ${source("node.ts")};
    import { handlers } from ${source("msw.ts")};
    import { setupServer } from "msw/node";
    const sim = createSimulator();
    sim.faults.add({ kind: "request.hang" });
    const url = sim.baseUrl + "/api/transactions";
    const signal = AbortSignal.timeout(50);
    const outcome = (call) => call.then(() => "answered", ({ name }) => name);`;
  const { stdout } = await promisify(execFile)(process.execPath, ["--input-type=module", "--eval", prelude + program], {
    cwd: new URL("../..", import.meta.url),
  });
  return stdout;
}

const overNode = `new Promise((resolve, reject) => request(url, { signal }, resolve).on("error", reject).end())`;

test.each([
  ["sim.fetch", "console.log(await outcome(sim.fetch(url, { signal })));", "TimeoutError"],
  ["sim.fetch with a Request", "console.log(await outcome(sim.fetch(new Request(url, { signal }))));", "TimeoutError"],
  ["fetch", "intercept(sim); console.log(await outcome(fetch(url, { signal })));", "TimeoutError"],
  ["node:https", `intercept(sim); console.log(await outcome(${overNode}));`, "AbortError"],
  [
    "MSW handlers",
    "setupServer(...handlers(sim)).listen(); console.log(await outcome(fetch(url, { signal })));",
    "TimeoutError",
  ],
])("a script that awaits a call over %s sees AbortSignal.timeout, and ends", async (_, program, name) => {
  expect(await outputOf(program)).toBe(`${name}\n`);
});

test("a call that hangs lets the process end when the simulator is closed", async () => {
  expect(await outputOf("const call = outcome(sim.fetch(url)); await sim.close(); console.log(await call);")).toBe(
    "TypeError\n",
  );
});
