import { createSimulator, type EventView, type Simulator } from "centavo";
import { expect, test } from "vitest";
import { Merchant } from "../merchant.ts";

/** The bodies of the events so far, by their ids. */
function bodiesOf(sim: Simulator): Map<string, EventView["body"]> {
  return new Map(sim.webhooks.events().map(({ id, body }) => [id, body]));
}

/** A world without a connected app, and with many changes since its first events: payments, a checkout, invoices, a subscription's end. */
async function busyWorld(look: (sim: Simulator) => void): Promise<Simulator> {
  const sim = createSimulator();
  const merchant = await Merchant.of(sim);
  const { checkoutUrl } = await merchant.createCheckout({ amount: 5_000 });
  const steps = [
    () => sim.customer.pay(checkoutUrl, "pm_card_approved"),
    () => merchant.unpaid("pm_card_declines_renewals", { interval: "week" }),
    () => merchant.changeMethod(sim.subscriptions.last()?.id ?? "", "pm_card_approved"),
    () => sim.clock.advance("3 weeks"),
    () => merchant.cancelSubscription(sim.subscriptions.last()?.id ?? "", "no longer needed"),
    () => sim.clock.advance("1 week"),
  ];
  for (const step of steps) {
    await step();
    look(sim);
  }
  return sim;
}

test("an event shows the state at which it happened, even if it is first read later", async () => {
  const seen = new Map<string, EventView["body"]>();
  await busyWorld((sim) => {
    for (const [id, body] of bodiesOf(sim)) if (!seen.has(id)) seen.set(id, body);
  });
  const sim = await busyWorld(() => undefined);
  expect(bodiesOf(sim)).toEqual(seen);
  expect(new Set(sim.webhooks.events().map(({ type }) => type)).size).toBeGreaterThan(7);
});

test("a snapshot is plain data, and includes events that were never read", async () => {
  const sim = await busyWorld(() => undefined);
  const kept = sim.snapshot();
  expect(JSON.parse(JSON.stringify(kept))).toEqual(kept);
  expect(structuredClone(kept)).toEqual(kept);
  const free = { percent: 0, fixed: 0 };
  const elsewhere = createSimulator({
    assumptions: { "webhook.body": "spaced", "intent.fee": { card: free, gcash: free, grab_pay: free } },
  });
  elsewhere.restore(kept);
  const fork = sim.fork();
  const bodies = bodiesOf(sim);
  expect(bodiesOf(elsewhere)).toEqual(bodies);
  expect(bodiesOf(fork)).toEqual(bodies);
  expect(sim.snapshot()).toEqual(kept);
});

test("reading events does not rely on further assumptions", async () => {
  const sim = await busyWorld(() => undefined);
  const relied = sim.assumptions.used().map(({ id }) => id);
  bodiesOf(sim);
  sim.snapshot();
  expect(sim.assumptions.used().map(({ id }) => id)).toEqual(relied);
  expect(relied).toContain("webhook.body");
});
