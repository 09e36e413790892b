import { expect, test } from "vitest";
import { textLike } from "../matchers.ts";
import { Merchant } from "../merchant.ts";

const NOW = "2026-01-31T12:00:00.000Z";

test("an invoice's event carries the subscription, with the invoice beside it", async () => {
  const shop = await Merchant.open({ now: NOW });
  const { id } = await shop.subscribe();
  await shop.sim.clock.settle();
  const subscription = shop.sim.subscriptions.get(id);
  const invoice = shop.invoice(id);
  expect(shop.webhooks.find(({ type }) => type === "subscription.invoice.paid")).toEqual({
    id: textLike(/^evt_[A-Za-z0-9]{24}$/),
    type: "subscription.invoice.paid",
    createdAt: NOW,
    data: {
      id,
      type: "subscription",
      attributes: { ...subscription, latestInvoice: invoice, invoice },
    },
  });
});

test("a subscription's own event carries no invoice but its latest", async () => {
  const shop = await Merchant.open({ now: NOW });
  const { id } = await shop.subscribe();
  await shop.sim.clock.settle();
  expect(shop.webhooks.at(-1)).toEqual({
    id: textLike(/^evt_[A-Za-z0-9]{24}$/),
    type: "subscription.activated",
    createdAt: NOW,
    data: { id, type: "subscription", attributes: shop.sim.subscriptions.get(id) },
  });
});

test("an older invoice's event carries that invoice, and the subscription its latest", async () => {
  const shop = await Merchant.open();
  const { id } = await shop.unpaid("pm_card_declines_renewals", { interval: "week" });
  await shop.sim.clock.advance("1 week");
  await shop.processPayment(id, "pm_card_generic_decline");
  await shop.sim.clock.settle();
  expect(shop.webhooks.at(-1)).toMatchObject({
    type: "subscription.invoice.payment_failed",
    data: {
      attributes: {
        status: "unpaid",
        invoice: {
          number: "INV-000002",
          status: "open",
          attemptCount: 5,
          paymentIntent: { declineCode: "generic_decline" },
        },
        latestInvoice: { number: "INV-000003", status: "open", attemptCount: 0 },
      },
    },
  });
});

test("a cancellation's event gives the reason and the merchant's own fields", async () => {
  const shop = await Merchant.open();
  const own = { externalId: "club-7", metadata: { table: 4 } };
  const { id } = await shop.initiate((await shop.createPlan()).id, own);
  await shop.cancelSubscription(id, "too%20dear");
  await shop.sim.clock.settle();
  expect(shop.webhooks[0]).toMatchObject({
    type: "subscription.cancelled",
    data: { id, attributes: { ...own, status: "cancelled", cancellationReason: "too dear" } },
  });
});

test("what an event says is frozen when it happens", async () => {
  const shop = await Merchant.open();
  const { id } = await shop.subscribe();
  const [, , paid] = shop.sim.webhooks.events();
  const body = JSON.stringify(paid?.body);
  await shop.cancelSubscription(id);
  await shop.sim.clock.advance("1 day");
  expect(JSON.stringify(shop.sim.webhooks.events()[2]?.body)).toBe(body);
});
