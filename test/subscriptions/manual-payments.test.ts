import { describe, expect, test } from "vitest";
import { DAY, after } from "../instants.ts";
import { Merchant } from "../merchant.ts";
import { ok, refusedAs } from "../merchant/answers.ts";

describe("a payment by hand", () => {
  test("may meet a challenge, counts as an attempt and not among the retries", async () => {
    const merchant = await Merchant.open();
    const { id } = await merchant.pastDue();
    const failedAt = merchant.sim.clock.now();
    const { redirectUrl = "", status } = ok(await merchant.processPayment(id, "pm_card_challenge_always"));
    expect(status).toBe("requires_action");
    expect(merchant.invoice(id).attemptCount).toBe(2);
    await merchant.sim.customer.failAuthentication(redirectUrl);
    await merchant.sim.clock.settle();
    expect(merchant.invoice(id)).toMatchObject({ attemptCount: 2, nextAttemptAt: after(failedAt, DAY) });
    await merchant.sim.clock.advanceTo(after(failedAt, 3 * DAY - 1));
    expect(merchant.invoice(id).attemptCount).toBe(4);
    expect(merchant.subscriptionStatus(id)).toBe("past_due");
    await merchant.sim.clock.advance({ milliseconds: 1 });
    expect(merchant.invoice(id).attemptCount).toBe(5);
    expect(merchant.subscriptionStatus(id)).toBe("unpaid");
  });

  test("never causes unpaid, and starts no retries once they are over", async () => {
    const merchant = await Merchant.open();
    const { id } = await merchant.pastDue();
    for (let payment = 0; payment < 5; payment += 1) {
      await merchant.processPayment(id, "pm_card_generic_decline");
      await merchant.sim.clock.settle();
    }
    expect(merchant.subscriptionStatus(id)).toBe("past_due");
    expect(merchant.invoice(id).attemptCount).toBe(6);
    await merchant.sim.clock.advance("3 days");
    expect(merchant.subscriptionStatus(id)).toBe("unpaid");
    await merchant.processPayment(id, "pm_card_generic_decline");
    await merchant.sim.clock.settle();
    expect(merchant.invoice(id)).toMatchObject({ attemptCount: 10 });
    expect(merchant.invoice(id).nextAttemptAt).toBeUndefined();
    expect(merchant.subscriptionEvents.filter((type) => type === "subscription.unpaid")).toHaveLength(1);
  });

  test("makes a retry that falls due wait; the retry runs at once when the payment fails", async () => {
    const merchant = await Merchant.open();
    const { id } = await merchant.pastDue();
    await merchant.sim.clock.advance("23 hours 30 minutes");
    const { redirectUrl = "" } = ok(await merchant.processPayment(id, "pm_card_challenge"));
    await merchant.sim.clock.advance("45 minutes");
    expect(merchant.invoice(id).attemptCount).toBe(2);
    await merchant.sim.customer.failAuthentication(redirectUrl);
    await merchant.sim.clock.settle();
    expect(merchant.invoice(id)).toMatchObject({ attemptCount: 3, status: "paid" });
    expect(merchant.subscriptionStatus(id)).toBe("active");
  });

  test("whose challenge is left alone fails when its window closes", async () => {
    const merchant = await Merchant.open();
    const { id } = await merchant.unpaid();
    ok(await merchant.processPayment(id, "pm_card_challenge"));
    await merchant.sim.clock.advance("1 hour");
    expect(merchant.invoice(id)).toMatchObject({
      status: "open",
      paymentIntent: { status: "failed", declineCode: "authentication_expired" },
    });
    expect(merchant.subscriptionStatus(id)).toBe("unpaid");
  });

  test("answers a synchronous decline itself, and the attempt stands", async () => {
    const merchant = await Merchant.open();
    const { id } = await merchant.pastDue();
    refusedAs(await merchant.changeMethod(id, "pm_card_insufficient_funds"), 402, "INSUFFICIENT_FUNDS");
    await merchant.sim.clock.settle();
    expect(await merchant.readSubscription(id)).toMatchObject({
      status: "past_due",
      paymentMethod: { id: "pm_card_insufficient_funds" },
      latestInvoice: { attemptCount: 2, paymentIntent: { declineCode: "insufficient_funds" } },
    });
  });

  test.each(["pastDue", "unpaid"] as const)("is refused in %s while an attempt is in flight", async (reach) => {
    const merchant = await Merchant.open();
    const { id, status } = await merchant[reach]();
    ok(await merchant.processPayment(id));
    for (const answer of [await merchant.processPayment(id), await merchant.changeMethod(id, "pm_card_approved")])
      expect(refusedAs(answer, 409, "INVALID_STATE")).toContain(status);
    expect(merchant.invoice(id).attemptCount).toBe(reach === "pastDue" ? 2 : 5);
  });

  test("that meets an earlier payment's open challenge is led to it; another method is refused", async () => {
    const merchant = await Merchant.open();
    const { id } = await merchant.pastDue();
    const { redirectUrl } = ok(await merchant.processPayment(id, "pm_card_challenge"));
    const again = await merchant.processPayment(id);
    refusedAs(again, 402, "3D_SECURE_REQUIRED");
    expect(again.body.redirectUrl).toBe(redirectUrl);
    refusedAs(await merchant.changeMethod(id, "pm_card_approved"), 409, "INVALID_STATE");
    expect((await merchant.readSubscription(id)).paymentMethod?.id).toBe("pm_card_challenge");
  });

  test("pays the oldest open invoice first", async () => {
    const merchant = await Merchant.open();
    const { id } = await merchant.pastDue("pm_card_declines_renewals", { interval: "day" });
    await merchant.sim.clock.advance("1 day");
    const { id: intentId } = ok(await merchant.processPayment(id, "pm_card_challenge"));
    expect(merchant.invoice(id, 1).paymentIntent.id).toBe(intentId);
  });
});

describe("a change of the payment method", () => {
  test("of an active subscription charges nothing, and the next renewal is charged to it", async () => {
    const merchant = await Merchant.open();
    const { id } = await merchant.subscribe();
    const changed = ok(await merchant.changeMethod(id, "pm_card_challenge"));
    expect(changed).toMatchObject({ status: "active", paymentMethod: { id: "pm_card_challenge", type: "card" } });
    expect(changed.latestInvoice.attemptCount).toBe(1);
    expect(changed).not.toHaveProperty("invoice");
    await merchant.sim.clock.advance("1 month");
    expect(merchant.invoice(id).paymentIntent).toMatchObject({ paymentMethod: { id: "pm_card_challenge" } });
    expect(merchant.invoice(id).status).toBe("paid");
  });

  test("of an incomplete subscription charges nothing", async () => {
    const merchant = await Merchant.open();
    const { id } = await merchant.start();
    const changed = ok(await merchant.changeMethod(id, "pm_card_approved"));
    expect(changed).toMatchObject({
      status: "incomplete",
      paymentMethod: { id: "pm_card_approved" },
      latestInvoice: { attemptCount: 0 },
    });
    expect(changed).not.toHaveProperty("invoice");
  });

  test("answers with the invoice that it charges, which is the latest when only one is open", async () => {
    const merchant = await Merchant.open();
    const { id } = await merchant.pastDue();
    const { invoice, latestInvoice } = ok(await merchant.changeMethod(id, "pm_card_challenge"));
    expect(invoice).toEqual(latestInvoice);
    expect(invoice?.paymentIntent).toMatchObject({ status: "requires_action", nextAction: { type: "redirect" } });
  });

  test("leads to the challenge on the oldest invoice, however many are open", async () => {
    const merchant = await Merchant.open();
    const { id } = await merchant.unpaid("pm_card_declines_renewals", { interval: "day" });
    const open = merchant.invoices(id).filter(({ status }) => status === "open");
    expect(open.length).toBeGreaterThan(2);
    const { invoice, latestInvoice } = ok(await merchant.changeMethod(id, "pm_card_challenge"));
    expect(invoice).toMatchObject({ id: open[0]?.id, number: "INV-000002", status: "open", attemptCount: 5 });
    expect(latestInvoice).toMatchObject({ id: open.at(-1)?.id, attemptCount: 0 });
    const { clientKey, redirectUrl = "" } = invoice?.paymentIntent ?? {};
    expect(clientKey).toMatch(/^ck_/);
    const again = await merchant.processPayment(id, "pm_card_challenge");
    refusedAs(again, 402, "3D_SECURE_REQUIRED");
    expect(again.body.redirectUrl).toBe(redirectUrl);
    await merchant.sim.customer.authenticate(redirectUrl);
    await merchant.sim.clock.settle();
    expect(merchant.invoices(id).every(({ status }) => status === "paid")).toBe(true);
    expect(merchant.subscriptionStatus(id)).toBe("active");
  });

  test("to an unknown method is refused and changes nothing", async () => {
    const merchant = await Merchant.open();
    const { id } = await merchant.subscribe();
    refusedAs(await merchant.changeMethod(id, "pm_unknown"), 400, "PAYMENT_METHOD_INVALID");
    const answer = await merchant.call("PATCH", `/api/subscription/${id}/payment-method`, {});
    expect(answer.body.errors?.map(({ path }) => path)).toEqual(["paymentMethodId"]);
    expect((await merchant.readSubscription(id)).paymentMethod?.id).toBe("pm_card_approved");
  });
});

describe("a wallet", () => {
  test.each(["pm_gcash", "gcash", "pm_grab_pay", "grab_pay"])("%s is refused", async (wallet) => {
    const merchant = await Merchant.open();
    const { id } = await merchant.start();
    refusedAs(await merchant.processPayment(id, wallet), 400, "PAYMENT_METHOD_INVALID");
    refusedAs(await merchant.changeMethod(id, wallet), 400, "PAYMENT_METHOD_INVALID");
    expect(merchant.invoice(id).attemptCount).toBe(0);
  });

  test.each(["pm_gcash", "pm_grab_pay"])(
    "%s pays the first payment and renewals where it is allowed",
    async (wallet) => {
      const merchant = await Merchant.open({ assumptions: { "subscription.wallets": "allow" } });
      const { id } = await merchant.subscribe(wallet);
      await merchant.sim.clock.advance("2 months");
      expect(merchant.invoices(id).map(({ status }) => status)).toEqual(["paid", "paid", "paid"]);
    },
  );
});

test("another card during an open challenge is refused, and the refusal says how to find the challenge", async () => {
  const merchant = await Merchant.open();
  const { id } = await merchant.pastDue();
  const { redirectUrl } = ok(await merchant.processPayment(id, "pm_card_challenge"));
  const message = refusedAs(await merchant.changeMethod(id, "pm_card_approved"), 409, "INVALID_STATE");
  expect(message).toContain("waits for the customer's challenge; process-payment answers its URL");
  expect(await merchant.processPayment(id, "pm_card_approved")).toMatchObject({ status: 402, body: { redirectUrl } });
});
