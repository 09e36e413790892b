import { expect, test } from "vitest";
import { textLike } from "../matchers.ts";
import { Merchant } from "../merchant.ts";

const NOW = "2026-01-31T12:00:00.000Z";

/** A view without the merchant, whom no body names. */
function shown(view: object | undefined): object {
  const { merchantId: _, ...rest } = { merchantId: undefined, ...view };
  return rest;
}

test("an invoice's event carries the subscription, with the invoice beside it", async () => {
  const merchant = await Merchant.open({ now: NOW });
  const { id } = await merchant.subscribe();
  await merchant.sim.clock.settle();
  const subscription = shown(merchant.sim.subscriptions.get(id));
  const invoice = shown(merchant.invoice(id));
  expect(merchant.webhooks.find(({ type }) => type === "subscription.invoice.paid")).toEqual({
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
  const merchant = await Merchant.open({ now: NOW });
  const { id } = await merchant.subscribe();
  await merchant.sim.clock.settle();
  expect(merchant.webhooks.at(-1)).toEqual({
    id: textLike(/^evt_[A-Za-z0-9]{24}$/),
    type: "subscription.activated",
    createdAt: NOW,
    data: { id, type: "subscription", attributes: shown(merchant.sim.subscriptions.get(id)) },
  });
});

test("an older invoice's event carries that invoice, and the subscription its latest", async () => {
  const merchant = await Merchant.open();
  const { id } = await merchant.unpaid("pm_card_declines_renewals", { interval: "week" });
  await merchant.sim.clock.advance("1 week");
  await merchant.processPayment(id, "pm_card_generic_decline");
  await merchant.sim.clock.settle();
  expect(merchant.webhooks.at(-1)).toMatchObject({
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
  const merchant = await Merchant.open();
  const own = { externalId: "club-7", metadata: { table: 4 } };
  const { id } = await merchant.initiate((await merchant.createPlan()).id, own);
  await merchant.cancelSubscription(id, "too%20dear");
  await merchant.sim.clock.settle();
  expect(merchant.webhooks[0]).toMatchObject({
    type: "subscription.cancelled",
    data: { id, attributes: { ...own, status: "cancelled", cancellationReason: "too dear" } },
  });
});

test("what an event says is frozen when it happens", async () => {
  const merchant = await Merchant.open();
  const { id } = await merchant.subscribe();
  const [, , paid] = merchant.sim.webhooks.events();
  const body = JSON.stringify(paid?.body);
  await merchant.cancelSubscription(id);
  await merchant.sim.clock.advance("1 day");
  expect(JSON.stringify(merchant.sim.webhooks.events()[2]?.body)).toBe(body);
});
