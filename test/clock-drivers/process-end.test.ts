import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { describe, expect, test } from "vitest";

const support = (name: string): string => JSON.stringify(new URL(name, import.meta.url).href);

/** Runs a program until its process ends. A leftover that keeps the process alive shows as a test that does not finish. */
async function outputOf(program: string): Promise<string> {
  const prelude = `
    import { createSimulator } from ${support("../../src/index.ts")};
    import { createClient } from ${support("../../src/client.ts")};
    import { script } from ${support("../journal/script.ts")};
    process.on("unhandledRejection", (reason) => console.log("unhandled", reason));`;
  const { stdout } = await promisify(execFile)(process.execPath, ["--input-type=module", "--eval", prelude + program]);
  return stdout;
}

describe("a process ends even if the simulator is never closed", () => {
  test.each([
    ["under the manual clock", "createSimulator()"],
    ["under the auto clock", 'createSimulator({ clock: "auto" })'],
    ["under the real clock", 'createSimulator({ clock: "real" })'],
  ])("%s", async (_, simulator) => {
    const output = await outputOf(`
      const sim = ${simulator};
      sim.connect("https://shop.example", { listener: (request, response) => { throw new Error("no stock"); } });
      await script(sim);
      console.log("done");`);
    expect(output).toBe("done\n");
  });

  test("with a horizon beyond every deadline", async () => {
    const output = await outputOf(`
      const sim = createSimulator({ clock: { auto: { horizon: "3650 days" } }, webhookUrl: "https://shop.example/hooks" });
      sim.connect("https://shop.example", { listener: (request, response) => { throw new Error("no stock"); } });
      const client = createClient({ ...sim.credentials, baseUrl: sim.baseUrl, fetch: sim.fetch });
      const { id } = await client.paymentIntents.create({ amount: 10000 });
      await client.paymentIntents.confirm(id, { paymentMethodId: "pm_card_approved" });
      console.log("done");`);
    expect(output).toBe("done\n");
  });
});

test("a process lives on while code sleeps under the real clock, and no longer", async () => {
  const output = await outputOf(`
    const sim = createSimulator({ clock: { real: 60 } });
    sim.clock.timeout("1 year");
    await sim.clock.sleep("1 second");
    console.log("awake");`);
  expect(output).toBe("awake\n");
});

test("a process lives on while it awaits an answer that a fault delays under the real clock", async () => {
  const output = await outputOf(`
    const sim = createSimulator({ clock: { real: 60 } });
    sim.faults.add({ kind: "request.latency", delay: "1 second" });
    const { status } = await sim.fetch("/api/transactions");
    console.log(status);`);
  expect(output).toBe("401\n");
});

test("a process does not live on for a sleep that was aborted or a client that left under the real clock", async () => {
  const output = await outputOf(`
    const sim = createSimulator({ clock: "real" });
    sim.faults.add({ kind: "request.latency", delay: "1 day" });
    const gone = new AbortController();
    const waits = [sim.clock.sleep("1 day", { signal: gone.signal }), sim.fetch("/api/transactions", { signal: gone.signal })];
    await new Promise((resolve) => setImmediate(resolve));
    gone.abort(new Error("gone"));
    console.log((await Promise.allSettled(waits)).map(({ status }) => status).join());
    process.on("exit", () => console.log(process.uptime() < 60 ? "soon" : "late"));`);
  expect(output).toBe("rejected,rejected\nsoon\n");
});
