import { describe, expect, test } from "vitest";
import { Merchant } from "../merchant.ts";
import { ok, refusedAs } from "../merchant/answers.ts";

describe("a cancellation", () => {
  test("ends an active subscription at once, with the reason, and no renewal follows", async () => {
    const shop = await Merchant.open();
    const { id, currentPeriodEnd } = await shop.subscribe();
    const at = shop.sim.clock.now();
    const cancelled = ok(await shop.cancelSubscription(id, "moved%20away"));
    expect(cancelled).toMatchObject({ status: "cancelled", cancellationReason: "moved away", cancelledAt: at });
    expect(cancelled).toMatchObject({ currentPeriodEnd, latestInvoice: { status: "paid" } });
    expect(cancelled.nextBillingAt).toBeUndefined();
    await shop.sim.clock.advance("1 year");
    expect(shop.invoices(id)).toHaveLength(1);
    expect(shop.subscriptionEvents.at(-1)).toBe("subscription.cancelled");
  });

  test("needs no reason", async () => {
    const shop = await Merchant.open();
    const { id } = await shop.subscribe();
    expect(ok(await shop.cancelSubscription(id)).cancellationReason).toBeUndefined();
  });

  test("of an incomplete subscription voids its invoice and cancels the intent", async () => {
    const shop = await Merchant.open();
    const { id } = await shop.start();
    const cancelled = ok(await shop.cancelSubscription(id));
    expect(cancelled).toMatchObject({
      status: "cancelled",
      latestInvoice: { status: "void", paymentIntent: { status: "canceled" } },
    });
    await shop.sim.clock.advance("2 days");
    expect(shop.eventTypes).toEqual(["subscription.cancelled", "payment_intent.canceled"]);
  });

  test("cancels an open challenge, voids its invoice, and says so in its answer", async () => {
    const shop = await Merchant.open();
    const { id } = await shop.start();
    const { redirectUrl = "" } = ok(await shop.processPayment(id, "pm_card_challenge"));
    const { latestInvoice } = ok(await shop.cancelSubscription(id));
    expect(latestInvoice).toMatchObject({ status: "void", paymentIntent: { status: "canceled" } });
    expect(latestInvoice.paymentIntent.clientKey).toBeUndefined();
    expect(await shop.sim.customer.authenticate(redirectUrl)).toMatchObject({ status: "canceled" });
    await shop.sim.clock.advance("2 days");
    expect(shop.invoice(id)).toMatchObject({ status: "void", attemptCount: 1 });
  });

  test.each(["pastDue", "unpaid"] as const)("of a subscription that is %s voids every open invoice", async (reach) => {
    const shop = await Merchant.open();
    const { id } = await shop[reach]("pm_card_declines_renewals", { interval: "day" });
    if (reach === "pastDue") await shop.sim.clock.advance("1 day");
    expect(shop.invoices(id).filter(({ status }) => status === "open").length).toBeGreaterThan(1);
    ok(await shop.cancelSubscription(id));
    expect(shop.invoices(id).map(({ status }) => status)).toEqual([
      "paid",
      ...shop
        .invoices(id)
        .slice(1)
        .map(() => "void"),
    ]);
    for (const invoice of shop.invoices(id)) expect(invoice).not.toHaveProperty("nextAttemptAt");
    const attempts = shop.sim.intents.list().length;
    await shop.sim.clock.advance("1 month");
    expect(shop.sim.intents.list()).toHaveLength(attempts);
    expect(shop.subscriptionStatus(id)).toBe("cancelled");
  });

  test("waits for a payment in processing: success pays the invoice, and the status stays cancelled", async () => {
    const shop = await Merchant.open({ assumptions: { "intent.processing-time": "2 hours" } });
    const { id } = await shop.start();
    await shop.processPayment(id);
    expect(ok(await shop.cancelSubscription(id))).toMatchObject({
      status: "cancelled",
      latestInvoice: { status: "open" },
    });
    await shop.sim.clock.advance("3 hours");
    expect(shop.invoice(id)).toMatchObject({ status: "paid" });
    expect(shop.subscriptionStatus(id)).toBe("cancelled");
    expect(shop.subscriptionEvents).toEqual(["subscription.cancelled", "subscription.invoice.paid"]);
  });

  test("waits for a payment in processing: failure voids the invoice", async () => {
    const shop = await Merchant.open({ assumptions: { "intent.processing-time": "2 hours" } });
    const { id } = await shop.subscribe("pm_card_declines_renewals");
    await shop.sim.clock.advanceUntil(() => shop.invoices(id).length === 2);
    ok(await shop.cancelSubscription(id));
    await shop.sim.clock.advance("1 month");
    expect(shop.invoice(id)).toMatchObject({ status: "void", attemptCount: 1 });
    expect(shop.invoice(id).nextAttemptAt).toBeUndefined();
    expect(shop.subscriptionEvents.slice(-2)).toEqual([
      "subscription.cancelled",
      "subscription.invoice.payment_failed",
    ]);
  });

  test("is refused where it is over already, naming the state", async () => {
    const shop = await Merchant.open();
    const [{ id }, ended] = [await shop.start(), await shop.start()];
    await shop.cancelSubscription(id);
    expect(refusedAs(await shop.cancelSubscription(id), 409, "INVALID_STATE")).toContain("cancelled");
    await shop.sim.clock.advance("1 day");
    expect(refusedAs(await shop.cancelSubscription(ended.id), 409, "INVALID_STATE")).toContain("incomplete_cancelled");
  });
});

describe("a cancellation that keeps invoices", () => {
  const keep = { assumptions: { "subscription.cancel": "keep" } } as const;

  test("leaves an open invoice open, and retries it no more", async () => {
    const shop = await Merchant.open(keep);
    const { id } = await shop.pastDue();
    const { latestInvoice } = ok(await shop.cancelSubscription(id));
    expect(latestInvoice).toMatchObject({ status: "open", attemptCount: 1 });
    expect(latestInvoice.nextAttemptAt).toBeUndefined();
    expect(shop.sim.clock.pending().filter(({ key }) => key.startsWith("invoice/"))).toEqual([]);
    await shop.sim.clock.advance("1 month");
    expect(shop.invoice(id)).toMatchObject({ status: "open", attemptCount: 1 });
  });

  test("cancels an open challenge all the same", async () => {
    const shop = await Merchant.open(keep);
    const { id } = await shop.pastDue();
    await shop.changeMethod(id, "pm_card_challenge");
    const { latestInvoice } = ok(await shop.cancelSubscription(id));
    expect(latestInvoice).toMatchObject({ status: "open", paymentIntent: { status: "canceled" } });
    expect(latestInvoice.nextAttemptAt).toBeUndefined();
    await shop.sim.clock.advance("2 days");
    expect(shop.invoice(id)).toMatchObject({ status: "open", attemptCount: 2 });
  });

  test("lets the customer pay a kept invoice with its client key, and the status stays cancelled", async () => {
    const shop = await Merchant.open(keep);
    const { id } = await shop.start();
    const { latestInvoice } = ok(await shop.cancelSubscription(id));
    await shop.confirmByKey(latestInvoice.paymentIntent, "pm_card_approved");
    await shop.sim.clock.settle();
    expect(shop.invoice(id).status).toBe("paid");
    expect(shop.subscriptionStatus(id)).toBe("cancelled");
  });

  test("takes no payment by hand for a kept invoice, and no new method, naming the state", async () => {
    const shop = await Merchant.open(keep);
    const { id } = await shop.pastDue();
    ok(await shop.cancelSubscription(id));
    expect(refusedAs(await shop.processPayment(id), 409, "INVALID_STATE")).toContain("cancelled");
    expect(refusedAs(await shop.changeMethod(id, "pm_card_approved"), 409, "INVALID_STATE")).toContain("cancelled");
    expect(shop.invoice(id)).toMatchObject({ status: "open", attemptCount: 1 });
  });

  test("retries a payment that was in processing no more when it fails", async () => {
    const shop = await Merchant.open({ assumptions: { ...keep.assumptions, "intent.processing-time": "2 hours" } });
    const { id } = await shop.subscribe("pm_card_declines_renewals");
    await shop.sim.clock.advanceUntil(() => shop.invoices(id).length === 2);
    ok(await shop.cancelSubscription(id));
    await shop.sim.clock.advance("1 month");
    expect(shop.invoice(id)).toMatchObject({ status: "open", attemptCount: 1 });
    expect(shop.invoice(id).nextAttemptAt).toBeUndefined();
  });

  test("voids the invoice of a first payment that never came", async () => {
    const shop = await Merchant.open(keep);
    const { id } = await shop.start();
    await shop.sim.clock.advance("1 day");
    expect(shop.invoice(id).status).toBe("void");
  });
});
