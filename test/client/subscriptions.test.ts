import { createSimulator, type Simulator } from "centavo";
import { createClient, ServiceError, type Client, type PlanView, type SubscriptionView } from "centavo/client";
import { expect, expectTypeOf, test } from "vitest";

const coffee = { name: "Coffee club", amount: 49_900, interval: "month" } as const;
const contact = { name: "Ana Cruz", email: "ana@customer.example" };

function open(): { sim: Simulator; client: Client } {
  const sim = createSimulator();
  return { sim, client: createClient({ baseUrl: sim.baseUrl, fetch: sim.fetch, ...sim.credentials }) };
}

test("plans are created, read, and listed page by page", async () => {
  const { client } = open();
  const plan = await client.plans.create(coffee);
  expectTypeOf(plan).toEqualTypeOf<PlanView>();
  expect(plan).toMatchObject({ ...coffee, currency: "PHP", intervalCount: 1 });
  expect(await client.plans.get(plan.id)).toEqual(plan);

  const tea = await client.plans.create({ ...coffee, name: "Tea club" });
  expect(await client.plans.list({ limit: 1 })).toEqual({ items: [tea], hasMore: true });
  expect(await client.plans.list({ limit: 1, after: tea.id })).toEqual({ items: [plan], hasMore: false });
  expect(await client.plans.list()).toMatchObject({ items: [{ id: tea.id }, { id: plan.id }] });
});

test("a subscription is started, paid and read by its id, its session and its status", async () => {
  const { sim, client } = open();
  const { id: planId } = await client.plans.create(coffee);
  const { sessionToken, ...started } = await client.subscriptions.initiate({ planId, contact, externalId: "member-1" });
  expect(started).toMatchObject({ status: "incomplete", externalId: "member-1", latestInvoice: { status: "open" } });

  const payment = { subscriptionId: started.id, paymentMethodId: "pm_card_approved" };
  const paid = await client.subscriptions.processPayment(payment);
  expect(paid).toMatchObject({ status: "processing", requiresAction: false, subscription: { id: started.id } });

  await sim.clock.settle();
  const active = await client.subscriptions.get(started.id);
  expectTypeOf(active).toEqualTypeOf<SubscriptionView>();
  expect(active).toMatchObject({ status: "active", latestInvoice: { status: "paid" } });
  expect(await client.subscriptions.session(sessionToken)).toEqual({ ...active, sessionToken });
  expect(await client.subscriptions.list({ status: "active", limit: 1 })).toMatchObject({
    items: [{ id: started.id }],
  });
  expect(await client.subscriptions.list({ status: "unpaid" })).toEqual({ items: [], hasMore: false });
});

test("the plan and the payment method are changed, and the subscription is cancelled with a reason", async () => {
  const { sim, client } = open();
  const { id: planId } = await client.plans.create(coffee);
  const other = await client.plans.create({ ...coffee, amount: 99_900 });
  const { id, sessionToken } = await client.subscriptions.initiate({ planId, contact });
  await client.subscriptions.processPayment({ sessionToken, paymentMethodId: "pm_card_approved" });
  await sim.clock.settle();

  expect(await client.subscriptions.changePlan(id, { planId: other.id })).toMatchObject({ pendingPlan: other });
  const paymentMethodId = "pm_card_declines_renewals";
  expect(await client.subscriptions.changePaymentMethod(id, { paymentMethodId })).toMatchObject({
    paymentMethod: { id: paymentMethodId },
  });
  expect(await client.subscriptions.cancel(id, { reason: "Moving & packing" })).toMatchObject({
    status: "cancelled",
    cancellationReason: "Moving & packing",
  });
});

test("a refusal is a ServiceError with its code", async () => {
  const { client } = open();
  const { id: planId } = await client.plans.create(coffee);
  const { id } = await client.subscriptions.initiate({ planId, contact });
  const declined = client.subscriptions.processPayment({
    subscriptionId: id,
    paymentMethodId: "pm_card_insufficient_funds",
  });
  await expect(declined).rejects.toBeInstanceOf(ServiceError);
  await expect(declined).rejects.toMatchObject({ status: 402, code: "INSUFFICIENT_FUNDS" });
  await expect(client.plans.get("plan_unknown")).rejects.toMatchObject({ code: "PLAN_NOT_FOUND" });
  await expect(client.subscriptions.changePlan(id, { planId })).rejects.toMatchObject({ code: "INVALID_STATE" });
});

test("starting a subscription twice with one idempotency key starts one", async () => {
  const { sim, client } = open();
  const { id: planId } = await client.plans.create(coffee);
  const first = await client.subscriptions.initiate({ planId, contact }, { idempotencyKey: "member-1" });
  expect(await client.subscriptions.initiate({ planId, contact }, { idempotencyKey: "member-1" })).toEqual(first);
  expect(sim.subscriptions.list()).toHaveLength(1);
});
