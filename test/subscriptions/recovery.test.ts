import { describe, expect, test } from "vitest";
import { Merchant } from "../merchant.ts";
import { ok } from "../merchant/answers.ts";

const ways: Readonly<Record<string, (merchant: Merchant, id: string) => Promise<unknown>>> = {
  "a new payment method": async (merchant, id) => ok(await merchant.changeMethod(id, "pm_card_approved")),
  "a payment by hand": async (merchant, id) => ok(await merchant.processPayment(id)),
};

describe.each(Object.entries(ways))("%s", (_, pay) => {
  test.each(["pastDue", "unpaid"] as const)("leads back to active from %s", async (reach) => {
    const merchant = await Merchant.open();
    const { id, currentPeriodStart, currentPeriodEnd } = await merchant[reach]();
    await pay(merchant, id);
    await merchant.sim.clock.settle();
    expect(await merchant.readSubscription(id)).toMatchObject({
      status: "active",
      paymentMethod: { id: "pm_card_approved" },
      currentPeriodStart,
      currentPeriodEnd,
      nextBillingAt: currentPeriodEnd,
    });
    expect(merchant.eventTypes.slice(-4)).toEqual([
      "payment_intent.processing",
      "payment_intent.succeeded",
      "subscription.invoice.paid",
      "subscription.activated",
    ]);
    expect(merchant.invoice(id).nextAttemptAt).toBeUndefined();
    const invoices = merchant.invoices(id).length;
    await merchant.sim.clock.advanceTo(currentPeriodEnd ?? "");
    expect(merchant.invoices(id)).toHaveLength(invoices + 1);
    expect(merchant.subscriptionStatus(id)).toBe("active");
  });
});

test("a retry that is paid leads back to active", async () => {
  const merchant = await Merchant.open();
  const { id } = await merchant.pastDue("pm_card_recovers");
  await merchant.sim.clock.advance({ milliseconds: 172_799_999 });
  expect(merchant.subscriptionStatus(id)).toBe("past_due");
  await merchant.sim.clock.advance({ milliseconds: 1 });
  expect(await merchant.readSubscription(id)).toMatchObject({
    status: "active",
    latestInvoice: { status: "paid", attemptCount: 3 },
  });
});

test("a subscription that has recovered may fail again, and gets three new retries", async () => {
  const merchant = await Merchant.open();
  const { id } = await merchant.unpaid();
  ok(await merchant.processPayment(id));
  await merchant.sim.clock.settle();
  ok(await merchant.changeMethod(id, "pm_card_declines_renewals"));
  await merchant.sim.clock.advanceUntil(() => merchant.subscriptionStatus(id) === "unpaid");
  expect(merchant.invoices(id).map(({ status, attemptCount }) => [status, attemptCount])).toEqual([
    ["paid", 1],
    ["paid", 5],
    ["open", 4],
  ]);
  expect(merchant.subscriptionEvents.filter((type) => type === "subscription.past_due")).toHaveLength(2);
});
