import { createSimulator } from "centavo";
import { createClient } from "centavo/client";
import { expect, test } from "vitest";

function shop() {
  const sim = createSimulator();
  return { sim, client: createClient({ ...sim.credentials, baseUrl: sim.baseUrl, fetch: sim.fetch }) };
}

test("an answer says one centavo more, and the books do not", async () => {
  const { sim, client } = shop();
  sim.faults.add({ kind: "response.other-value", route: "payment-intent.create", field: "amount", by: 1, times: 1 });
  const first = await client.paymentIntents.create({ amount: 10_000 });
  const second = await client.paymentIntents.create({ amount: 10_000 });
  expect([first.amount, second.amount]).toEqual([10_001, 10_000]);
  expect(sim.intents.get(first.id)?.amount).toBe(10_000);
});

test("an answer says another status", async () => {
  const { sim, client } = shop();
  const { id } = await client.paymentIntents.create({ amount: 10_000 });
  sim.faults.add({ kind: "response.other-value", route: "payment-intent.status", field: "status", to: "succeeded" });
  expect((await client.paymentIntents.status(id)).status).toBe("succeeded");
  expect(sim.intents.get(id)?.status).toBe("requires_payment_method");
});

test("every field of the name in an answer is changed, however deep it stands", async () => {
  const { sim, client } = shop();
  const plan = await client.plans.create({ name: "Reader", amount: 19_900, interval: "month" });
  const { id } = await client.subscriptions.initiate({
    planId: plan.id,
    contact: { name: "Ana Cruz", email: "ana@customer.example" },
  });
  sim.faults.add({ kind: "response.other-value", field: "amount", by: -100 });
  expect((await client.subscriptions.get(id)).plan.amount).toBe(19_800);
  expect(sim.plans.get(plan.id)?.amount).toBe(19_900);
});

test("an answer without the field is not an occasion", async () => {
  const { sim, client } = shop();
  sim.faults.add({ kind: "response.other-value", route: "payment-intent.create", field: "total", by: 1 });
  sim.faults.add({ kind: "response.other-value", route: "payment-intent.create", field: "status", by: 1 });
  await client.paymentIntents.create({ amount: 10_000 });
  expect(sim.faults.unused()).toHaveLength(2);
});
