import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { expect, test } from "vitest";

const from = (path: string): string => JSON.stringify(new URL(path, import.meta.url).href);

/** A process of its own, because this one has loaded Node's modules of timers. A call that hangs ends it without its last line. */
async function outputOf(program: string): Promise<string> {
  const whole = `
    import https from "node:https";
    import { mock } from "node:test";
    import axios from "axios";
    ${program}
    const address = sim.baseUrl + "/.well-known/jwks.json";
    const network = intercept(sim);
    const bySocket = () => new Promise((resolve, reject) =>
      https.get(address, (response) => response.resume().on("end", () => resolve(response.statusCode))).on("error", reject));
    console.log((await fetch(address)).status, (await axios.get(address)).status, await bySocket());
    await sim.clock.advance("1 month");
    console.log(sim.clock.now());`;
  const { stdout } = await promisify(execFile)(process.execPath, ["--input-type=module", "--eval", whole], {
    cwd: import.meta.dirname,
  });
  return stdout;
}

test.for([
  [
    "interception",
    `import { createSimulator } from ${from("../../src/index.ts")};
     const sim = createSimulator();
     mock.timers.enable();
     const { intercept } = await import(${from("../../src/node.ts")});`,
  ],
  [
    "all of Centavo",
    `mock.timers.enable();
     const { createSimulator } = await import(${from("../../src/index.ts")});
     const { intercept } = await import(${from("../../src/node.ts")});
     const sim = createSimulator();`,
  ],
] as const)("requests are answered, although %s was imported under the timers of node:test", async ([, program]) => {
  expect(await outputOf(program)).toBe("200 200 200\n2026-02-01T00:00:00.000Z\n");
});
