import { describe, expect, test } from "vitest";
import { DAY, after } from "../instants.ts";
import { Merchant } from "../merchant.ts";
import { ok, refusedAs } from "../merchant/answers.ts";

describe("a payment by hand", () => {
  test("may meet a challenge, counts as an attempt and not among the retries", async () => {
    const shop = await Merchant.open();
    const { id } = await shop.pastDue();
    const failedAt = shop.sim.clock.now();
    const { redirectUrl = "", status } = ok(await shop.processPayment(id, "pm_card_challenge_always"));
    expect(status).toBe("requires_action");
    expect(shop.invoice(id)).toMatchObject({ attemptCount: 2, nextAttemptAt: after(failedAt, DAY) });
    await shop.sim.customer.failAuthentication(redirectUrl);
    await shop.sim.clock.settle();
    expect(shop.invoice(id)).toMatchObject({ attemptCount: 2, nextAttemptAt: after(failedAt, DAY) });
    await shop.sim.clock.advanceTo(after(failedAt, 3 * DAY - 1));
    expect(shop.invoice(id).attemptCount).toBe(4);
    expect(shop.subscriptionStatus(id)).toBe("past_due");
    await shop.sim.clock.advance({ milliseconds: 1 });
    expect(shop.invoice(id).attemptCount).toBe(5);
    expect(shop.subscriptionStatus(id)).toBe("unpaid");
  });

  test("never causes unpaid, and starts no retries once they are over", async () => {
    const shop = await Merchant.open();
    const { id } = await shop.pastDue();
    for (let payment = 0; payment < 5; payment += 1) {
      await shop.processPayment(id, "pm_card_generic_decline");
      await shop.sim.clock.settle();
    }
    expect(shop.subscriptionStatus(id)).toBe("past_due");
    expect(shop.invoice(id).attemptCount).toBe(6);
    await shop.sim.clock.advance("3 days");
    expect(shop.subscriptionStatus(id)).toBe("unpaid");
    await shop.processPayment(id, "pm_card_generic_decline");
    await shop.sim.clock.settle();
    expect(shop.invoice(id)).toMatchObject({ attemptCount: 10 });
    expect(shop.invoice(id).nextAttemptAt).toBeUndefined();
    expect(shop.subscriptionEvents.filter((type) => type === "subscription.unpaid")).toHaveLength(1);
  });

  test("keeps a retry that falls due waiting, which runs at once when it fails", async () => {
    const shop = await Merchant.open();
    const { id } = await shop.pastDue();
    await shop.sim.clock.advance("23 hours 30 minutes");
    const { redirectUrl = "" } = ok(await shop.processPayment(id, "pm_card_challenge"));
    await shop.sim.clock.advance("45 minutes");
    expect(shop.invoice(id).attemptCount).toBe(2);
    await shop.sim.customer.failAuthentication(redirectUrl);
    await shop.sim.clock.settle();
    expect(shop.invoice(id)).toMatchObject({ attemptCount: 3, status: "paid" });
    expect(shop.subscriptionStatus(id)).toBe("active");
  });

  test("whose challenge is left alone fails when its window closes", async () => {
    const shop = await Merchant.open();
    const { id } = await shop.unpaid();
    ok(await shop.processPayment(id, "pm_card_challenge"));
    await shop.sim.clock.advance("1 hour");
    expect(shop.invoice(id)).toMatchObject({
      status: "open",
      paymentIntent: { status: "failed", declineCode: "authentication_expired" },
    });
    expect(shop.subscriptionStatus(id)).toBe("unpaid");
  });

  test("answers a synchronous decline itself, and the attempt stands", async () => {
    const shop = await Merchant.open();
    const { id } = await shop.pastDue();
    refusedAs(await shop.changeMethod(id, "pm_card_insufficient_funds"), 402, "INSUFFICIENT_FUNDS");
    await shop.sim.clock.settle();
    expect(await shop.readSubscription(id)).toMatchObject({
      status: "past_due",
      paymentMethod: { id: "pm_card_insufficient_funds" },
      latestInvoice: { attemptCount: 2, paymentIntent: { declineCode: "insufficient_funds" } },
    });
  });

  test.each(["pastDue", "unpaid"] as const)("is refused in %s while an attempt is in flight", async (reach) => {
    const shop = await Merchant.open();
    const { id, status } = await shop[reach]();
    ok(await shop.processPayment(id));
    for (const answer of [await shop.processPayment(id), await shop.changeMethod(id, "pm_card_approved")])
      expect(refusedAs(answer, 409, "INVALID_STATE")).toContain(status);
    expect(shop.invoice(id).attemptCount).toBe(reach === "pastDue" ? 2 : 5);
  });

  test("that meets an open challenge of the one before is led to it; another method is refused", async () => {
    const shop = await Merchant.open();
    const { id } = await shop.pastDue();
    const { redirectUrl } = ok(await shop.processPayment(id, "pm_card_challenge"));
    const again = await shop.processPayment(id);
    refusedAs(again, 402, "3D_SECURE_REQUIRED");
    expect(again.body.redirectUrl).toBe(redirectUrl);
    refusedAs(await shop.changeMethod(id, "pm_card_approved"), 409, "INVALID_STATE");
    expect((await shop.readSubscription(id)).paymentMethod?.id).toBe("pm_card_challenge");
  });

  test("pays the oldest open invoice first", async () => {
    const shop = await Merchant.open();
    const { id } = await shop.pastDue("pm_card_declines_renewals", { interval: "day" });
    await shop.sim.clock.advance("1 day");
    const { id: intentId } = ok(await shop.processPayment(id, "pm_card_challenge"));
    expect(shop.invoice(id, 1).paymentIntent.id).toBe(intentId);
  });
});

describe("a change of the payment method", () => {
  test("of an active subscription charges nothing, and the next renewal is charged to it", async () => {
    const shop = await Merchant.open();
    const { id } = await shop.subscribe();
    const changed = ok(await shop.changeMethod(id, "pm_card_challenge"));
    expect(changed).toMatchObject({ status: "active", paymentMethod: { id: "pm_card_challenge", type: "card" } });
    expect(changed.latestInvoice.attemptCount).toBe(1);
    expect(changed).not.toHaveProperty("invoice");
    await shop.sim.clock.advance("1 month");
    expect(shop.invoice(id).paymentIntent).toMatchObject({ paymentMethod: { id: "pm_card_challenge" } });
    expect(shop.invoice(id).status).toBe("paid");
  });

  test("of an incomplete subscription charges nothing", async () => {
    const shop = await Merchant.open();
    const { id } = await shop.start();
    const changed = ok(await shop.changeMethod(id, "pm_card_approved"));
    expect(changed).toMatchObject({
      status: "incomplete",
      paymentMethod: { id: "pm_card_approved" },
      latestInvoice: { attemptCount: 0 },
    });
    expect(changed).not.toHaveProperty("invoice");
  });

  test("answers with the invoice that it charges, which is the latest where only one is open", async () => {
    const shop = await Merchant.open();
    const { id } = await shop.pastDue();
    const { invoice, latestInvoice } = ok(await shop.changeMethod(id, "pm_card_challenge"));
    expect(invoice).toEqual(latestInvoice);
    expect(invoice?.paymentIntent).toMatchObject({ status: "requires_action", nextAction: { type: "redirect" } });
  });

  test("leads to the challenge on the oldest invoice, however many are open", async () => {
    const shop = await Merchant.open();
    const { id } = await shop.unpaid("pm_card_declines_renewals", { interval: "day" });
    const open = shop.invoices(id).filter(({ status }) => status === "open");
    expect(open.length).toBeGreaterThan(2);
    const { invoice, latestInvoice } = ok(await shop.changeMethod(id, "pm_card_challenge"));
    expect(invoice).toMatchObject({ id: open[0]?.id, number: "INV-000002", status: "open", attemptCount: 5 });
    expect(latestInvoice).toMatchObject({ id: open.at(-1)?.id, attemptCount: 0 });
    const { clientKey, redirectUrl = "" } = invoice?.paymentIntent ?? {};
    expect(clientKey).toMatch(/^ck_/);
    const again = await shop.processPayment(id, "pm_card_challenge");
    refusedAs(again, 402, "3D_SECURE_REQUIRED");
    expect(again.body.redirectUrl).toBe(redirectUrl);
    await shop.sim.customer.authenticate(redirectUrl);
    await shop.sim.clock.settle();
    expect(shop.invoices(id).every(({ status }) => status === "paid")).toBe(true);
    expect(shop.subscriptionStatus(id)).toBe("active");
  });

  test("to one that is unknown is refused and changes nothing", async () => {
    const shop = await Merchant.open();
    const { id } = await shop.subscribe();
    refusedAs(await shop.changeMethod(id, "pm_unknown"), 400, "PAYMENT_METHOD_INVALID");
    const answer = await shop.call("PATCH", `/api/subscription/${id}/payment-method`, {});
    expect(answer.body.errors?.map(({ path }) => path)).toEqual(["paymentMethodId"]);
    expect((await shop.readSubscription(id)).paymentMethod?.id).toBe("pm_card_approved");
  });
});

describe("a wallet", () => {
  test.each(["pm_gcash", "gcash", "pm_grab_pay", "grab_pay"])("%s is refused", async (wallet) => {
    const shop = await Merchant.open();
    const { id } = await shop.start();
    refusedAs(await shop.processPayment(id, wallet), 400, "PAYMENT_METHOD_INVALID");
    refusedAs(await shop.changeMethod(id, wallet), 400, "PAYMENT_METHOD_INVALID");
    expect(shop.invoice(id).attemptCount).toBe(0);
  });

  test.each(["pm_gcash", "pm_grab_pay"])(
    "%s pays the first payment and renewals where it is allowed",
    async (wallet) => {
      const shop = await Merchant.open({ assumptions: { "subscription.wallets": "allow" } });
      const { id } = await shop.subscribe(wallet);
      await shop.sim.clock.advance("2 months");
      expect(shop.invoices(id).map(({ status }) => status)).toEqual(["paid", "paid", "paid"]);
    },
  );
});

test("another card while a challenge is open is refused, and the refusal says where the challenge is found", async () => {
  const shop = await Merchant.open();
  const { id } = await shop.pastDue();
  const { redirectUrl } = ok(await shop.processPayment(id, "pm_card_challenge"));
  const message = refusedAs(await shop.changeMethod(id, "pm_card_approved"), 409, "INVALID_STATE");
  expect(message).toContain("waits for the customer's challenge, to which process-payment leads");
  expect(await shop.processPayment(id, "pm_card_approved")).toMatchObject({ status: 402, body: { redirectUrl } });
});
