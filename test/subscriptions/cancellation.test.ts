import { describe, expect, test } from "vitest";
import { Merchant } from "../merchant.ts";
import { ok, refusedAs } from "../merchant/answers.ts";

describe("a cancellation", () => {
  test("ends an active subscription at once, with the reason, and no renewal follows", async () => {
    const merchant = await Merchant.open();
    const { id, currentPeriodEnd } = await merchant.subscribe();
    const at = merchant.sim.clock.now();
    const cancelled = ok(await merchant.cancelSubscription(id, "moved%20away"));
    expect(cancelled).toMatchObject({ status: "cancelled", cancellationReason: "moved away", cancelledAt: at });
    expect(cancelled).toMatchObject({ currentPeriodEnd, latestInvoice: { status: "paid" } });
    expect(cancelled.nextBillingAt).toBeUndefined();
    await merchant.sim.clock.advance("1 year");
    expect(merchant.invoices(id)).toHaveLength(1);
    expect(merchant.subscriptionEvents.at(-1)).toBe("subscription.cancelled");
  });

  test("needs no reason", async () => {
    const merchant = await Merchant.open();
    const { id } = await merchant.subscribe();
    expect(ok(await merchant.cancelSubscription(id)).cancellationReason).toBeUndefined();
  });

  test("takes an empty reason for none", async () => {
    const merchant = await Merchant.open();
    const { id } = await merchant.subscribe();
    const { status, body } = await merchant.call("DELETE", `/api/subscription/${id}?reason=`);
    expect(status).toBe(200);
    expect(body.data).not.toHaveProperty("cancellationReason");
  });

  test("of an incomplete subscription voids its invoice and cancels the intent", async () => {
    const merchant = await Merchant.open();
    const { id } = await merchant.start();
    const cancelled = ok(await merchant.cancelSubscription(id));
    expect(cancelled).toMatchObject({
      status: "cancelled",
      latestInvoice: { status: "void", paymentIntent: { status: "canceled" } },
    });
    await merchant.sim.clock.advance("2 days");
    expect(merchant.eventTypes).toEqual(["subscription.cancelled", "payment_intent.canceled"]);
  });

  test("cancels an open challenge, voids its invoice, and says so in its answer", async () => {
    const merchant = await Merchant.open();
    const { id } = await merchant.start();
    const { redirectUrl = "" } = ok(await merchant.processPayment(id, "pm_card_challenge"));
    const { latestInvoice } = ok(await merchant.cancelSubscription(id));
    expect(latestInvoice).toMatchObject({ status: "void", paymentIntent: { status: "canceled" } });
    expect(latestInvoice.paymentIntent.clientKey).toBeUndefined();
    expect(await merchant.sim.customer.authenticate(redirectUrl)).toMatchObject({ status: "canceled" });
    await merchant.sim.clock.advance("2 days");
    expect(merchant.invoice(id)).toMatchObject({ status: "void", attemptCount: 1 });
  });

  test.each(["pastDue", "unpaid"] as const)("of a subscription that is %s voids every open invoice", async (reach) => {
    const merchant = await Merchant.open();
    const { id } = await merchant[reach]("pm_card_declines_renewals", { interval: "day" });
    if (reach === "pastDue") await merchant.sim.clock.advance("1 day");
    expect(merchant.invoices(id).filter(({ status }) => status === "open").length).toBeGreaterThan(1);
    ok(await merchant.cancelSubscription(id));
    expect(merchant.invoices(id).map(({ status }) => status)).toEqual([
      "paid",
      ...merchant
        .invoices(id)
        .slice(1)
        .map(() => "void"),
    ]);
    for (const invoice of merchant.invoices(id)) expect(invoice).not.toHaveProperty("nextAttemptAt");
    const attempts = merchant.sim.intents.list().length;
    await merchant.sim.clock.advance("1 month");
    expect(merchant.sim.intents.list()).toHaveLength(attempts);
    expect(merchant.subscriptionStatus(id)).toBe("cancelled");
  });

  test("waits for a payment in processing: success pays the invoice, and the status stays cancelled", async () => {
    const merchant = await Merchant.open({ assumptions: { "intent.processing-time": "2 hours" } });
    const { id } = await merchant.start();
    await merchant.processPayment(id);
    expect(ok(await merchant.cancelSubscription(id))).toMatchObject({
      status: "cancelled",
      latestInvoice: { status: "open" },
    });
    await merchant.sim.clock.advance("3 hours");
    expect(merchant.invoice(id)).toMatchObject({ status: "paid" });
    expect(merchant.subscriptionStatus(id)).toBe("cancelled");
    expect(merchant.subscriptionEvents).toEqual(["subscription.cancelled", "subscription.invoice.paid"]);
  });

  test("waits for a payment in processing: failure voids the invoice", async () => {
    const merchant = await Merchant.open({ assumptions: { "intent.processing-time": "2 hours" } });
    const { id } = await merchant.subscribe("pm_card_declines_renewals");
    await merchant.sim.clock.advanceUntil(() => merchant.invoices(id).length === 2);
    ok(await merchant.cancelSubscription(id));
    await merchant.sim.clock.advance("1 month");
    expect(merchant.invoice(id)).toMatchObject({ status: "void", attemptCount: 1 });
    expect(merchant.invoice(id).nextAttemptAt).toBeUndefined();
    expect(merchant.subscriptionEvents.slice(-2)).toEqual([
      "subscription.cancelled",
      "subscription.invoice.payment_failed",
    ]);
  });

  test("is refused for an ended subscription, naming the state", async () => {
    const merchant = await Merchant.open();
    const [{ id }, ended] = [await merchant.start(), await merchant.start()];
    await merchant.cancelSubscription(id);
    expect(refusedAs(await merchant.cancelSubscription(id), 409, "INVALID_STATE")).toContain("cancelled");
    await merchant.sim.clock.advance("1 day");
    expect(refusedAs(await merchant.cancelSubscription(ended.id), 409, "INVALID_STATE")).toContain(
      "incomplete_cancelled",
    );
  });
});

describe("a cancellation that keeps invoices", () => {
  const keep = { assumptions: { "subscription.cancel": "keep" } } as const;

  test("leaves an open invoice open, and stops its retries", async () => {
    const merchant = await Merchant.open(keep);
    const { id } = await merchant.pastDue();
    const { latestInvoice } = ok(await merchant.cancelSubscription(id));
    expect(latestInvoice).toMatchObject({ status: "open", attemptCount: 1 });
    expect(latestInvoice.nextAttemptAt).toBeUndefined();
    expect(merchant.sim.clock.pending().filter(({ key }) => key.startsWith("invoice/"))).toEqual([]);
    await merchant.sim.clock.advance("1 month");
    expect(merchant.invoice(id)).toMatchObject({ status: "open", attemptCount: 1 });
  });

  test("still cancels an open challenge", async () => {
    const merchant = await Merchant.open(keep);
    const { id } = await merchant.pastDue();
    await merchant.changeMethod(id, "pm_card_challenge");
    const { latestInvoice } = ok(await merchant.cancelSubscription(id));
    expect(latestInvoice).toMatchObject({ status: "open", paymentIntent: { status: "canceled" } });
    expect(latestInvoice.nextAttemptAt).toBeUndefined();
    await merchant.sim.clock.advance("2 days");
    expect(merchant.invoice(id)).toMatchObject({ status: "open", attemptCount: 2 });
  });

  test("lets the customer pay a kept invoice with its client key, and the status stays cancelled", async () => {
    const merchant = await Merchant.open(keep);
    const { id } = await merchant.start();
    const { latestInvoice } = ok(await merchant.cancelSubscription(id));
    await merchant.confirmByKey(latestInvoice.paymentIntent, "pm_card_approved");
    await merchant.sim.clock.settle();
    expect(merchant.invoice(id).status).toBe("paid");
    expect(merchant.subscriptionStatus(id)).toBe("cancelled");
  });

  test("takes no payment by hand for a kept invoice, and no new method, naming the state", async () => {
    const merchant = await Merchant.open(keep);
    const { id } = await merchant.pastDue();
    ok(await merchant.cancelSubscription(id));
    expect(refusedAs(await merchant.processPayment(id), 409, "INVALID_STATE")).toContain("cancelled");
    expect(refusedAs(await merchant.changeMethod(id, "pm_card_approved"), 409, "INVALID_STATE")).toContain("cancelled");
    expect(merchant.invoice(id)).toMatchObject({ status: "open", attemptCount: 1 });
  });

  test("does not retry a payment that was in processing when it fails", async () => {
    const merchant = await Merchant.open({ assumptions: { ...keep.assumptions, "intent.processing-time": "2 hours" } });
    const { id } = await merchant.subscribe("pm_card_declines_renewals");
    await merchant.sim.clock.advanceUntil(() => merchant.invoices(id).length === 2);
    ok(await merchant.cancelSubscription(id));
    await merchant.sim.clock.advance("1 month");
    expect(merchant.invoice(id)).toMatchObject({ status: "open", attemptCount: 1 });
    expect(merchant.invoice(id).nextAttemptAt).toBeUndefined();
  });

  test("voids the invoice of a first payment that never came", async () => {
    const merchant = await Merchant.open(keep);
    const { id } = await merchant.start();
    await merchant.sim.clock.advance("1 day");
    expect(merchant.invoice(id).status).toBe("void");
  });
});
