"use strict";

/** Tests that pass and fail by matchers, by their titles, for runners with an `expect`. */
exports.matcherTests = (simulated, expect) => ({
  "matchers pass": simulated({ name: "matchers", webhookUrl: "https://shop.example/hooks" }, async (parts) => {
    const { sim } = parts;
    sim.connect("https://shop.example", () => new Response());
    const id = await pay(parts);
    expect(id).toHaveStatus("succeeded");
    expect(id).not.toHaveStatus("failed");
    expect("order-1").toHaveBeenPaidOnce();
    expect(sim.intents.get(id)).not.toHaveMoved(["succeeded"]);
    expect(sim).toHaveDelivered("payment_intent.succeeded", { data: { id: expect.any(String) } }, { times: 1 });
    expect(sim.ledger()).toBalance();
    await expect(Promise.resolve(sim)).resolves.toHaveNoPendingWork();
  }),
  "a status is another": simulated({ name: "matchers" }, async (parts) => {
    expect(await pay(parts)).toHaveStatus("failed");
  }),
  "a body is another": simulated({ name: "matchers", webhookUrl: "https://shop.example/hooks" }, async (parts) => {
    parts.sim.connect("https://shop.example", () => new Response());
    await pay(parts);
    expect(parts.sim).toHaveDelivered("payment_intent.succeeded", { data: { attributes: { amount: 1 } } });
  }),
  "a timeline is that of its snapshot": simulated({ name: "matchers" }, ({ sim }) => {
    expect(sim).toMatchTimeline();
    expect(sim).toMatchInlineTimeline('""');
  }),
  "a timeline is another": simulated({ name: "matchers" }, async (parts) => {
    await pay(parts);
    expect(parts.sim).toMatchTimeline();
  }),
  "a timeline in the file is another": simulated({ name: "matchers" }, async (parts) => {
    await pay(parts);
    expect(parts.sim).toMatchInlineTimeline('""');
  }),
  "a timeline has no opposite": simulated({ name: "matchers" }, ({ sim }) => {
    expect(sim).not.toMatchTimeline();
  }),
});

async function pay({ sim, client }) {
  const { id } = await client.paymentIntents.create({ amount: 10000, externalId: "order-1" });
  await client.paymentIntents.confirm(id, { paymentMethod: "pm_card_approved" });
  await sim.clock.settle();
  return id;
}
