import { withSimulator } from "centavo/vitest";
import { describe, expect, test as base } from "vitest";
import { note } from "../notes.cjs";
import { createShop } from "../shop.cjs";

const started = Date.now();
const originals = surface();
const test = withSimulator(base);

for (const title of ["withSimulator gives a test its world", "withSimulator gives another test another world"]) {
  test(title, async ({ sim, customer, network, visit }) => {
    expect(network.kind).toBe("intercept");
    const shop = createShop({ ...sim.credentials, baseUrl: network.baseUrl, authUrl: network.authUrl });
    sim.connect("https://shop.example", shop.app);
    const { checkoutUrl } = await (await visit("POST", "/orders", { id: "order-1", amount: 10000 })).json();
    await customer.pay(checkoutUrl, "pm_card_approved");
    await sim.clock.settle();
    expect(shop.orders.get("order-1")).toBe("completed");
    expect(new Date().toISOString()).toBe(sim.clock.now());
    note(title, sim.intents.last().id);
  });
}

test("withSimulator fails with the test's own error", async ({ network }) => {
  expect(network.kind).toBe("intercept");
  throw new Error("the parcel is lost");
});

test("withSimulator fails a test that swallowed an error", async ({ network }) => {
  expect(network.kind).toBe("intercept");
  await fetch("https://api.pay.exmaple/oauth").catch(() => undefined);
});

base("withSimulator closed everything", () => {
  expect(surface()).toEqual(originals);
});

describe.concurrent("withSimulator in concurrent tests", () => {
  for (const name of ["one", "two", "three"]) {
    const own = withSimulator(base, { baseUrl: `https://${name}.pay.example` });
    own(`withSimulator gives concurrent tests a world each: ${name}`, async ({ sim, client, network }) => {
      expect(network.kind).toBe("intercept");
      await sim.clock.advance("1 year");
      const { id } = await client.paymentIntents.create({ amount: 10000 });
      expect(sim.intents.list().map((intent) => intent.id)).toEqual([id]);
      expect((await fetch(`https://${name}.pay.example/api/transactions`)).status).toBe(401);
      expect(Date.now()).toBeGreaterThanOrEqual(started);
    });
  }
});

function surface() {
  const { fetch, Date, Headers, Request, Response } = globalThis;
  return [fetch, Date, Headers, Request, Response];
}
