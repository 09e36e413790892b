import { describe, expect, test } from "vitest";
import { DAY, HOUR, after } from "../instants.ts";
import { Merchant } from "../merchant.ts";
import { ok, refusedAs } from "../merchant/answers.ts";

const PROCESS = "/api/subscription/process-payment";

describe("the first payment", () => {
  test("is processed by the subscription's id, and makes it active", async () => {
    const merchant = await Merchant.open();
    const { id, latestInvoice } = await merchant.start();
    const paid = ok(await merchant.processPayment(id));
    expect(paid).toEqual({
      id: latestInvoice.paymentIntent.id,
      intentId: latestInvoice.paymentIntent.id,
      status: "processing",
      requiresAction: false,
      subscription: await merchant.readSubscription(id),
    });
    expect(paid.subscription).toMatchObject({
      status: "incomplete",
      paymentMethod: { id: "pm_card_approved", type: "card" },
      latestInvoice: { status: "open", attemptCount: 1, paymentIntent: { status: "processing" } },
    });
    await merchant.sim.clock.settle();
    const at = merchant.sim.clock.now();
    expect(await merchant.readSubscription(id)).toMatchObject({
      status: "active",
      currentPeriodStart: at,
      latestInvoice: { status: "paid", attemptCount: 1, paidAt: at, paymentIntent: { status: "succeeded" } },
    });
  });

  test("is processed by the session token", async () => {
    const merchant = await Merchant.open();
    const { id, sessionToken } = await merchant.start();
    ok(await merchant.call("POST", PROCESS, { sessionToken, paymentMethodId: "card" }));
    await merchant.sim.clock.settle();
    expect(merchant.subscriptionStatus(id)).toBe("active");
  });

  test("is refused when the two belong to different subscriptions", async () => {
    const merchant = await Merchant.open();
    const { id, sessionToken } = await merchant.start();
    const other = await merchant.start();
    const body = { subscriptionId: id, paymentMethodId: "card" };
    const mixed = await merchant.call("POST", PROCESS, { ...body, sessionToken: other.sessionToken });
    refusedAs(mixed, 400, "VALIDATION_ERROR");
    expect(mixed.body.errors).toEqual([
      {
        path: "sessionToken",
        message: "must belong to the same subscription as subscriptionId when both are sent",
        code: "validation_error",
      },
    ]);
    expect([merchant.invoice(id).attemptCount, merchant.invoice(other.id).attemptCount]).toEqual([0, 0]);
    expect((await merchant.call("POST", PROCESS, { ...body, sessionToken })).status).toBe(200);
  });

  test("needs one of the two, and a payment method", async () => {
    const merchant = await Merchant.open();
    const neither = await merchant.call("POST", PROCESS, { paymentMethodId: "card" });
    refusedAs(neither, 400, "VALIDATION_ERROR");
    expect(neither.body.errors).toEqual([
      { path: "subscriptionId", message: "is required unless sessionToken is sent", code: "validation_error" },
    ]);
    const { id } = await merchant.start();
    const noMethod = await merchant.call("POST", PROCESS, { subscriptionId: id });
    expect(noMethod.body.errors?.map(({ path }) => path)).toEqual(["paymentMethodId"]);
    refusedAs(await merchant.processPayment(id, "pm_unknown"), 400, "PAYMENT_METHOD_INVALID");
    refusedAs(await merchant.processPayment(id, "4343434343434345"), 400, "PAYMENT_METHOD_INVALID");
    expect(merchant.invoice(id).attemptCount).toBe(0);
  });

  test("that meets a challenge goes on when the customer has passed it", async () => {
    const merchant = await Merchant.open();
    const plan = await merchant.createPlan();
    const { id } = await merchant.initiate(plan.id, { returnUrl: "https://shop.example/thanks", externalId: "club-7" });
    const { redirectUrl = "", ...rest } = ok(await merchant.processPayment(id, "pm_card_challenge"));
    expect(rest).toMatchObject({ status: "requires_action", requiresAction: true });
    const again = await merchant.processPayment(id);
    refusedAs(again, 402, "3D_SECURE_REQUIRED");
    expect(again.body.redirectUrl).toBe(redirectUrl);
    const visit = await merchant.sim.customer.authenticate(redirectUrl);
    expect(visit.redirectedTo).toContain("https://shop.example/thanks?intentId=pi_");
    expect(visit.redirectedTo).toContain("&externalId=club-7&status=processing");
    await merchant.sim.clock.settle();
    expect(await merchant.readSubscription(id)).toMatchObject({ status: "active", latestInvoice: { attemptCount: 1 } });
  });

  test("that fails leaves the subscription incomplete, is not retried by itself, and may be tried again", async () => {
    const merchant = await Merchant.open();
    const { id, latestInvoice } = await merchant.start();
    for (const [index, method] of ["pm_card_generic_decline", "pm_card_insufficient_funds"].entries()) {
      const { status } = await merchant.processPayment(id, method);
      expect(status).toBe(index === 0 ? 200 : 402);
      await merchant.sim.clock.advance("1 hour");
      expect(await merchant.readSubscription(id)).toMatchObject({
        status: "incomplete",
        latestInvoice: { attemptCount: index + 1 },
      });
      expect(merchant.invoice(id).nextAttemptAt).toBeUndefined();
    }
    ok(await merchant.processPayment(id));
    await merchant.sim.clock.settle();
    expect(await merchant.readSubscription(id)).toMatchObject({
      status: "active",
      latestInvoice: { id: latestInvoice.id, attemptCount: 3 },
    });
    expect(merchant.subscriptionEvents).toEqual([
      "subscription.invoice.payment_failed",
      "subscription.invoice.payment_failed",
      "subscription.invoice.paid",
      "subscription.activated",
    ]);
  });

  test.each(["pm_card_approved", "pm_card_challenge"])(
    "by %s leaves renewals to the method that was named while it was under way",
    async (paymentMethodId) => {
      const merchant = await Merchant.open();
      const { id } = await merchant.start();
      const { redirectUrl } = ok(await merchant.processPayment(id, paymentMethodId));
      ok(await merchant.changeMethod(id, "pm_card_declines_renewals"));
      if (redirectUrl !== undefined) await merchant.sim.customer.authenticate(redirectUrl);
      await merchant.sim.clock.settle();
      expect(await merchant.readSubscription(id)).toMatchObject({
        status: "active",
        paymentMethod: { id: "pm_card_declines_renewals" },
        latestInvoice: { paymentIntent: { paymentMethod: { id: paymentMethodId } } },
      });
      await merchant.sim.clock.advance("1 month");
      expect(merchant.subscriptionStatus(id)).toBe("past_due");
    },
  );

  test("that is under way blocks another one", async () => {
    const merchant = await Merchant.open();
    const { id } = await merchant.start();
    await merchant.processPayment(id);
    expect(refusedAs(await merchant.processPayment(id), 409, "INVALID_STATE")).toContain("incomplete");
    await merchant.sim.clock.settle();
    refusedAs(await merchant.processPayment(id), 409, "INTENT_ALREADY_CONFIRMED");
  });
});

describe("the mark of 24 hours", () => {
  test("ends an unpaid subscription at that instant and not a millisecond before", async () => {
    const merchant = await Merchant.open();
    const { id, createdAt } = await merchant.start();
    await merchant.sim.clock.advance({ milliseconds: DAY - 1 });
    expect(merchant.subscriptionStatus(id)).toBe("incomplete");
    await merchant.sim.clock.advance({ milliseconds: 1 });
    expect(await merchant.readSubscription(id)).toMatchObject({
      status: "incomplete_cancelled",
      cancelledAt: after(createdAt, DAY),
      latestInvoice: { status: "void", paymentIntent: { status: "canceled" } },
    });
    expect(merchant.subscriptionEvents).toEqual(["subscription.cancelled"]);
    expect(merchant.webhooks.find(({ type }) => type === "subscription.cancelled")).toMatchObject({
      data: { attributes: { status: "incomplete_cancelled", latestInvoice: { status: "void" } } },
    });
  });

  test("comes too late for a subscription that is paid a millisecond before", async () => {
    const merchant = await Merchant.open();
    const { id } = await merchant.start();
    await merchant.sim.clock.advance({ milliseconds: DAY - 1 });
    await merchant.processPayment(id);
    await merchant.sim.clock.advance("1 day");
    expect(merchant.subscriptionStatus(id)).toBe("active");
  });

  test("cancels an open challenge, and a customer who passes it later changes nothing", async () => {
    const merchant = await Merchant.open({
      assumptions: { "intent.authentication": { card: "48 hours", gcash: "4 hours", grab_pay: "15 minutes" } },
    });
    const { id } = await merchant.start();
    const { redirectUrl = "" } = ok(await merchant.processPayment(id, "pm_card_challenge"));
    await merchant.sim.clock.advance({ milliseconds: DAY - 1 });
    expect(merchant.subscriptionStatus(id)).toBe("incomplete");
    await merchant.sim.clock.advance({ milliseconds: 1 });
    expect(await merchant.readSubscription(id)).toMatchObject({
      status: "incomplete_cancelled",
      latestInvoice: { status: "void", paymentIntent: { status: "canceled" } },
    });
    expect(await merchant.sim.customer.authenticate(redirectUrl)).toMatchObject({ status: "canceled" });
    await merchant.sim.clock.advance("2 days");
    expect(merchant.subscriptionStatus(id)).toBe("incomplete_cancelled");
  });

  test.each([
    ["pm_card_approved", "active", "paid"],
    ["pm_card_generic_decline", "incomplete_cancelled", "void"],
  ])("waits for a payment in processing: %s ends %s", async (method, status, invoiceStatus) => {
    const merchant = await Merchant.open({ assumptions: { "intent.processing-time": "2 hours" } });
    const { id, createdAt } = await merchant.start();
    await merchant.sim.clock.advance("23 hours");
    await merchant.processPayment(id, method);
    await merchant.sim.clock.advance({ milliseconds: 2 * HOUR - 1 });
    expect(await merchant.readSubscription(id)).toMatchObject({
      status: "incomplete",
      latestInvoice: { status: "open" },
    });
    refusedAs(await merchant.processPayment(id), 409, "INVALID_STATE");
    await merchant.sim.clock.advance({ milliseconds: 1 });
    const ended = await merchant.readSubscription(id);
    expect(ended).toMatchObject({ status, latestInvoice: { status: invoiceStatus } });
    const end = after(createdAt, 25 * HOUR);
    expect(status === "active" ? ended.currentPeriodStart : ended.cancelledAt).toBe(end);
  });

  test("waits for a payment that is being processed after a challenge", async () => {
    const merchant = await Merchant.open({ assumptions: { "intent.processing-time": "2 hours" } });
    const { id } = await merchant.start();
    await merchant.sim.clock.advance({ milliseconds: DAY - HOUR / 2 });
    const { redirectUrl = "" } = ok(await merchant.processPayment(id, "pm_card_challenge"));
    await merchant.sim.customer.authenticate(redirectUrl);
    await merchant.sim.clock.advance("1 hour");
    expect(merchant.subscriptionStatus(id)).toBe("incomplete");
    await merchant.sim.clock.advance("1 hour");
    expect(merchant.subscriptionStatus(id)).toBe("active");
  });

  test("still applies after a payment that failed before it", async () => {
    const merchant = await Merchant.open();
    const { id } = await merchant.start();
    await merchant.processPayment(id, "pm_card_generic_decline");
    await merchant.sim.clock.advance("1 day");
    expect(merchant.subscriptionStatus(id)).toBe("incomplete_cancelled");
  });
});
