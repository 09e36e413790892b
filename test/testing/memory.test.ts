import { createSimulator } from "centavo";
import { intercept } from "centavo/node";
import { simulated } from "centavo/testing";
import type { TestParts } from "centavo/testing";
import { withSimulator } from "centavo/vitest";
import { describe, expect, test as base } from "vitest";
import { collectGarbage } from "../collect-garbage.ts";

const test = withSimulator(base);
const TESTS = 30;
const numbers = Array.from({ length: TESTS }, (_, index) => index + 1);
let worlds: WeakRef<object>[] = [];

async function pay({ sim, client, customer, visit, network }: TestParts): Promise<void> {
  worlds.push(new WeakRef(sim));
  sim.connect("https://shop.example", () => new Response("here"));
  await visit("/");
  const { id } = await client.paymentIntents.create({ amount: 10_000, returnUrl: "https://shop.example/thanks" });
  const { redirectUrl } = await client.paymentIntents.confirm(id, { paymentMethod: "pm_card_challenge" });
  await customer.authenticate(redirectUrl ?? "");
  await sim.clock.settle();
  expect(network.kind).toBe("intercept");
}

/** Checks that no test left its world behind, but for the last ones, whose contexts vitest may still need: five run at the same time. */
async function expectNoWorldIsKept(): Promise<void> {
  // What the microtasks of the last test still hold is free after a turn of the event loop.
  await new Promise((resolve) => setImmediate(resolve));
  collectGarbage();
  const opened = worlds;
  worlds = [];
  expect(opened).toHaveLength(TESTS);
  expect(opened.filter((world) => world.deref() !== undefined).length).toBeLessThan(TESTS / 3);
}

describe("tests of a file, one after the other", () => {
  for (const number of numbers)
    test(`pay: ${number}`, async ({ sim, client, customer, visit, network }) =>
      pay({ sim, client, customer, visit, network }));
  base("leave no world in memory", expectNoWorldIsKept);
});

test("a hook after a test still has its simulator", ({ sim, onTestFinished }) => {
  onTestFinished((context) => {
    expect(context).toHaveProperty("sim", sim);
  });
});

describe.concurrent("tests of a file, at the same time", () => {
  for (const number of numbers)
    test(`pay: ${number}`, async ({ sim, client, customer, visit }) => {
      // One process has one interception at an address.
      await pay({ sim, client, customer, visit, network: { kind: "intercept" } as TestParts["network"] });
    });
});

describe("tests at the same time", () => {
  base("leave no world in memory", expectNoWorldIsKept);
});

describe("tests of another runner", () => {
  base("leave no world in memory", async () => {
    for (const number of numbers)
      await simulated({ name: `pay: ${number}` }, async ({ sim, client, customer, visit, network }) =>
        pay({ sim, client, customer, visit, network }),
      )();
    await expectNoWorldIsKept();
  });
});

/** What a function leaves on the heap after a quick collection, in bytes. The median, because V8 also compiles now and then. */
function keptAfter(liveThrough: () => void): number {
  const kept = numbers.map(() => {
    const before = process.memoryUsage().heapUsed;
    liveThrough();
    collectGarbage({ type: "minor" });
    return process.memoryUsage().heapUsed - before;
  });
  return kept.toSorted((left, right) => left - right)[TESTS >> 1] as number;
}

base("a world that nobody holds is free before V8 collects its old space", () => {
  // A world takes 60 000.
  expect(keptAfter(() => void createSimulator())).toBeLessThan(20_000);
});

base("a world whose interception is over is free as soon", () => {
  const intercepted = () => {
    const sim = createSimulator();
    // Something this large stays for good once a quick collection has found it in use; what is small gets a second chance.
    Object.assign(sim, { ballast: Array.from({ length: 100_000 }, Math.random) });
    intercept(sim).close();
  };
  expect(keptAfter(intercepted)).toBeLessThan(20_000);
});
