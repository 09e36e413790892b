/** Four tests of the express shop in which everything goes well, for node:test. The bench of `centavo shake` runs them. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { simulated } from "centavo/testing";
import type { TestParts } from "centavo/testing";
import { createShop } from "../examples/express-shop/shop.ts";
import { emptyStore } from "../examples/express-shop/store.ts";

const shopUrl = "https://shop.example";
const customer = { name: "Ana Cruz", email: "ana@customer.example" };

function open({ sim, network }: Pick<TestParts, "sim" | "network">) {
  const store = emptyStore();
  const addresses = { payBaseUrl: network.baseUrl, payAuthUrl: network.authUrl, shopUrl };
  sim.connect(shopUrl, createShop({ ...sim.credentials, ...addresses, sleep: async () => undefined }, { store }));
  return store;
}

for (const paymentMethodId of ["pm_card_approved", "pm_gcash", "pm_card_challenge"])
  void test(
    `a customer pays with ${paymentMethodId}`,
    simulated({ name: paymentMethodId }, async ({ sim, network, visit }) => {
      const { orders } = open({ sim, network });
      await visit("POST", "/orders", { id: "order-1", sku: "book", customer, paymentMethodId });
      const { redirectUrl } = orders.get("order-1") ?? {};
      if (redirectUrl !== undefined) await sim.customer.authenticate(redirectUrl);
      await sim.clock.advance("1 hour");
      assert.equal(orders.get("order-1")?.status, "paid");
    }),
  );

void test(
  "a membership is renewed",
  simulated({ name: "membership" }, async ({ sim, network, visit }) => {
    const { memberships } = open({ sim, network });
    const paymentMethodId = "pm_card_approved";
    await visit("POST", "/memberships", { id: "member-1", plan: "reader", customer, paymentMethodId });
    await sim.clock.advance("1 month");
    assert.equal(memberships.get("member-1")?.status, "active");
  }),
);
