"use strict";

const SHOP = "https://shop.example";

/**
 * What every merchant has to do, whatever it is made of. The tests know it by its HTTP alone.
 * @param equal compares as the runner's assertions do
 * @param openMerchant makes the merchant's app, for the configuration of a test
 * @param prefix begins the ids of orders, for a shop that keeps those of earlier tests
 */
exports.merchantTestsWith = (equal, openMerchant, prefix = "order") => {
  async function open(sim, network) {
    const { clientId, clientSecret, webhookSecret } = sim.credentials;
    const app = await openMerchant({
      baseUrl: network.baseUrl,
      authUrl: network.authUrl,
      clientId,
      clientSecret,
      webhookSecret,
      fetch: network.fetch,
    });
    sim.connect(SHOP, app);
  }

  async function statusOf(visit, id) {
    return (await (await visit(`${SHOP}/orders/${id}`)).json()).status;
  }

  return {
    "an order is paid at the hosted checkout": async ({ sim, customer, network, visit }) => {
      await open(sim, network);
      const id = `${prefix}-1`;
      const { checkoutUrl } = await (await visit("POST", `${SHOP}/orders`, { id, amount: 49_900 })).json();
      const { redirectedTo } = await customer.pay(checkoutUrl, "pm_card_approved");
      equal(new URL(redirectedTo).pathname, "/thanks");
      equal(await statusOf(visit, id), "open");
      await sim.clock.settle();
      equal(await statusOf(visit, id), "paid");
    },

    "a declined card leaves the order declined": async ({ sim, network, visit }) => {
      await open(sim, network);
      const id = `${prefix}-2`;
      const charge = { id, amount: 49_900, paymentMethodId: "pm_card_insufficient_funds" };
      equal((await (await visit("POST", `${SHOP}/charges`, charge)).json()).status, "declined");
      await sim.clock.settle();
      equal(await statusOf(visit, id), "declined");
      equal(sim.intents.last().status, "failed");
    },

    "a lost answer does not charge the customer twice": async ({ sim, network, visit }) => {
      await open(sim, network);
      sim.faults.add({ kind: "response.lost", route: "payment-intent.create", times: 1 });
      sim.faults.add({ kind: "response.lost", route: "payment-intent.confirm", times: 1 });
      const id = `${prefix}-3`;
      await visit("POST", `${SHOP}/charges`, { id, amount: 49_900, paymentMethodId: "pm_card_approved" });
      await sim.clock.settle();
      equal(await statusOf(visit, id), "paid");
      equal(sim.intents.list().length, 1);
      equal(sim.faults.unused().length, 0);
    },

    "a forged webhook pays nothing": async ({ sim, network, visit }) => {
      await open(sim, network);
      const id = `${prefix}-4`;
      await visit("POST", `${SHOP}/orders`, { id, amount: 49_900 });
      const forged = { id: "evt_forged", externalId: id, status: "completed" };
      equal((await visit("POST", `${SHOP}/hooks`, forged)).status, 401);
      equal(await statusOf(visit, id), "open");
      sim.faults.add({ kind: "webhook.duplicate" });
      await visit("POST", `${SHOP}/charges`, { id, amount: 49_900, paymentMethodId: "pm_card_approved" });
      await sim.clock.settle();
      equal(await statusOf(visit, id), "paid");
      equal(
        sim.webhooks.attempts().every(({ delivered }) => delivered),
        true,
      );
    },

    "a membership is renewed after a month": async ({ sim, network, visit }) => {
      await open(sim, network);
      const id = `${prefix}-5`;
      await visit("POST", `${SHOP}/memberships`, { id, paymentMethodId: "pm_card_approved" });
      await sim.clock.settle();
      await sim.clock.advance("P1M");
      const membership = await (await visit(`${SHOP}/memberships/${id}`)).json();
      equal(membership.status, "active");
      equal(membership.invoices, 2);
    },
  };
};
