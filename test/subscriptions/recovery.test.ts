import { describe, expect, test } from "vitest";
import { Merchant } from "../merchant.ts";
import { ok } from "../merchant/answers.ts";

const ways: Readonly<Record<string, (shop: Merchant, id: string) => Promise<unknown>>> = {
  "a new payment method": async (shop, id) => ok(await shop.changeMethod(id, "pm_card_approved")),
  "a payment by hand": async (shop, id) => ok(await shop.processPayment(id)),
};

describe.each(Object.entries(ways))("%s", (_, pay) => {
  test.each(["pastDue", "unpaid"] as const)("leads back to active from %s", async (reach) => {
    const shop = await Merchant.open();
    const { id, currentPeriodStart, currentPeriodEnd } = await shop[reach]();
    await pay(shop, id);
    await shop.sim.clock.settle();
    expect(await shop.readSubscription(id)).toMatchObject({
      status: "active",
      paymentMethod: { id: "pm_card_approved" },
      currentPeriodStart,
      currentPeriodEnd,
      nextBillingAt: currentPeriodEnd,
    });
    expect(shop.eventTypes.slice(-4)).toEqual([
      "payment_intent.processing",
      "payment_intent.succeeded",
      "subscription.invoice.paid",
      "subscription.activated",
    ]);
    expect(shop.invoice(id).nextAttemptAt).toBeUndefined();
    const invoices = shop.invoices(id).length;
    await shop.sim.clock.advanceTo(currentPeriodEnd ?? "");
    expect(shop.invoices(id)).toHaveLength(invoices + 1);
    expect(shop.subscriptionStatus(id)).toBe("active");
  });
});

test("a retry that is paid leads back to active", async () => {
  const shop = await Merchant.open();
  const { id } = await shop.pastDue("pm_card_recovers");
  await shop.sim.clock.advance({ milliseconds: 172_799_999 });
  expect(shop.subscriptionStatus(id)).toBe("past_due");
  await shop.sim.clock.advance({ milliseconds: 1 });
  expect(await shop.readSubscription(id)).toMatchObject({
    status: "active",
    latestInvoice: { status: "paid", attemptCount: 3 },
  });
});

test("a subscription that has recovered may fail again, with three retries of its own", async () => {
  const shop = await Merchant.open();
  const { id } = await shop.unpaid();
  ok(await shop.processPayment(id));
  await shop.sim.clock.settle();
  ok(await shop.changeMethod(id, "pm_card_declines_renewals"));
  await shop.sim.clock.advanceUntil(() => shop.subscriptionStatus(id) === "unpaid");
  expect(shop.invoices(id).map(({ status, attemptCount }) => [status, attemptCount])).toEqual([
    ["paid", 1],
    ["paid", 5],
    ["open", 4],
  ]);
  expect(shop.subscriptionEvents.filter((type) => type === "subscription.past_due")).toHaveLength(2);
});
