import assert from "node:assert/strict";
import { verifyWebhook } from "centavo/webhooks";
import type { Simulator } from "centavo";
import type { TestParts } from "centavo/testing";
import { expect, test } from "vitest";
import { causeOf, HOOKS, pay, SHOP } from "./shop.ts";

const ALL_SUCCEEDED =
  /^No likely cause found: every call succeeded(, and your app answered every webhook with 2xx)?\.$/;
const NOT_ALL = "No likely cause found: not everything succeeded.";
/** In these, the service refused a call, or the app did not take a webhook, as it should be. */
const notAll = new Set([
  "half a year of a subscription, whose client gets new tokens",
  "a decline that the shop handles",
  "webhooks that faults repeat, forge and refuse",
]);
const contact = { name: "Ana Cruz", email: "ana@customer.example" };

/** A shop that verifies, takes each event once, and counts what it took. */
function connectShop(sim: Simulator): Set<string> {
  const taken = new Set<string>();
  sim.connect(SHOP, async (request) => {
    if (request.method === "GET") return new Response("thank you");
    const event = await verifyWebhook(request, sim.credentials.webhookSecret).catch(() => undefined);
    if (event === undefined) return new Response(null, { status: 401 });
    taken.add(event.id);
    return new Response();
  });
  return taken;
}

const stories: Readonly<Record<string, (parts: TestParts, taken: Set<string>) => Promise<void>>> = {
  "a challenge that is passed": async ({ sim, client, customer }) => {
    const { id } = await client.paymentIntents.create({ amount: 49_900 });
    const { redirectUrl } = await client.paymentIntents.confirm(id, { paymentMethodId: "pm_card_challenge" });
    await customer.authenticate(redirectUrl);
    await sim.clock.settle();
  },
  "a checkout that is paid": async ({ sim, client, customer }) => {
    const { checkoutUrl } = await client.checkout.create({
      externalId: "order-1",
      amount: 49_900,
      description: "A book",
      webhookUrl: HOOKS,
      returnUrl: `${SHOP}/return`,
      contact,
    });
    await customer.pay(checkoutUrl, "pm_card_approved");
    await sim.clock.settle();
  },
  "half a year of a subscription, whose client gets new tokens": async ({ sim, client }) => {
    const plan = await client.plans.create({ name: "Reader", amount: 19_900, interval: "month" });
    const { id } = await client.subscriptions.initiate({ planId: plan.id, contact });
    await client.subscriptions.processPayment({ subscriptionId: id, paymentMethodId: "pm_card_approved" });
    for (let month = 0; month < 6; month += 1) {
      await sim.clock.advance("1 month");
      await client.subscriptions.get(id);
    }
  },
  "a decline that the shop handles": async ({ sim, client }) => {
    await pay(client, {}, "pm_card_insufficient_funds").catch(() => "declined");
    await sim.clock.settle();
  },
  "webhooks that faults repeat, forge and refuse": async ({ sim, client }) => {
    sim.faults.add({ kind: "webhook.duplicate", event: "payment_intent.succeeded" });
    sim.faults.add({ kind: "webhook.wrong-secret", event: "payment_intent.succeeded", times: 1 });
    sim.faults.add({ kind: "webhook.refused", event: "payment_intent.processing", times: 1 });
    await pay(client);
    await sim.clock.advance("1 day");
  },
  "a lost answer that the client asks for again": async ({ sim, client }) => {
    sim.faults.add({ kind: "response.lost", route: "payment-intent.create", times: 1 });
    const create = async (): Promise<object> =>
      client.paymentIntents.create({ amount: 49_900 }, { idempotencyKey: "order-1" });
    await create().catch(create);
    await sim.clock.settle();
  },
  "an amount that is just another one": async ({ sim, client }) => {
    await pay(client, { amount: 100 });
    await sim.clock.settle();
    assert.equal(sim.intents.last()?.amount, 300);
  },
};

test.for(Object.keys(stories))("a test that fails for a reason of its own gets no false cause: %s", async (name) => {
  const cause = await causeOf({ name: `honest: ${name}` }, async (parts) => {
    const taken = connectShop(parts.sim);
    await stories[name]?.(parts, taken);
    assert.equal(taken.size, -1);
  });
  expect(cause).toMatch(notAll.has(name) ? NOT_ALL : ALL_SUCCEEDED);
});
