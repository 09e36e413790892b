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

/** The contexts of the last tests, which ran at the same time: vitest may still need them. */
const LAST = 5;

/**
 * Checks that no test left its world behind, but for the last ones. What vitest reports of a test holds its world until vitest has heard
 * of it, which on a busy machine may be some tests later.
 */
async function expectNoWorldIsKept(): Promise<void> {
  const opened = worlds;
  worlds = [];
  expect(opened).toHaveLength(TESTS);
  const kept = (): number => {
    collectGarbage();
    return opened.filter((world) => world.deref() !== undefined).length;
  };
  await expect.poll(kept, { timeout: 120_000 }).toBeLessThanOrEqual(LAST);
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

/** Returns how many of the worlds that a function opens are still in memory once garbage is collected. */
async function keptOf(openWorld: () => object): Promise<number> {
  const opened = numbers.map(() => new WeakRef(openWorld()));
  await new Promise((resolve) => setImmediate(resolve));
  collectGarbage();
  return opened.filter((world) => world.deref() !== undefined).length;
}

base("a world that nobody holds is free", async () => {
  expect(await keptOf(() => createSimulator())).toBe(0);
});

base("a world whose interception is over is free", async () => {
  const kept = await keptOf(() => {
    const sim = createSimulator();
    intercept(sim).close();
    return sim;
  });
  expect(kept).toBe(0);
});
