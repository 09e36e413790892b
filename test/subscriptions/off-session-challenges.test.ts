import { describe, expect, test } from "vitest";
import { Merchant } from "../merchant.ts";
import { ok, refusedAs } from "../merchant/answers.ts";

const CARD = "pm_card_challenge_always";

/** A subscription whose renewal waits for the customer. */
async function renewed(plan: object = {}): Promise<{ merchant: Merchant; id: string; redirectUrl: string }> {
  const merchant = await Merchant.open({ assumptions: { "subscription.off-session-challenge": "redirect" } });
  const { id, nextBillingAt = "" } = await merchant.subscribe(CARD, plan);
  await merchant.sim.clock.advanceTo(nextBillingAt);
  return { merchant, id, redirectUrl: merchant.invoice(id).paymentIntent.redirectUrl ?? "" };
}

describe("a renewal whose card asks for a challenge, if it offers the redirect", () => {
  test("waits in requires_action, tells the merchant, and shows the challenge's address", async () => {
    const { merchant, id, redirectUrl } = await renewed();
    expect(merchant.invoice(id)).toMatchObject({ status: "open", paymentIntent: { status: "requires_action" } });
    expect(redirectUrl).toMatch(/\/authenticate\/ach_/);
    expect(merchant.subscriptionStatus(id)).toBe("active");
    expect(merchant.eventTypes.at(-1)).toBe("payment_intent.requires_action");
    const again = await merchant.processPayment(id);
    refusedAs(again, 402, "3D_SECURE_REQUIRED");
    expect(again.body).toMatchObject({ redirectUrl });
  });

  test("is paid once the customer passes it", async () => {
    const { merchant, id, redirectUrl } = await renewed();
    await merchant.sim.customer.authenticate(redirectUrl);
    await merchant.sim.clock.settle();
    expect(merchant.invoice(id)).toMatchObject({ status: "paid", attemptCount: 1 });
    expect(merchant.subscriptionStatus(id)).toBe("active");
  });

  test.each(["fails", "leaves"])("has failed if the customer %s it, and every retry offers it again", async (how) => {
    const { merchant, id, redirectUrl } = await renewed();
    if (how === "fails") await merchant.sim.customer.failAuthentication(redirectUrl);
    await merchant.sim.clock.advance("1 hour");
    expect(merchant.subscriptionStatus(id)).toBe("past_due");
    const { nextAttemptAt = "" } = merchant.invoice(id);
    await merchant.sim.clock.advanceTo(nextAttemptAt);
    const retried = merchant.invoice(id).paymentIntent;
    expect(retried.redirectUrl).not.toBe(redirectUrl);
    refusedAs(await merchant.changeMethod(id, "pm_card_approved"), 409, "INVALID_STATE");
    await merchant.sim.customer.authenticate(retried.redirectUrl ?? "");
    await merchant.sim.clock.settle();
    expect(merchant.invoice(id)).toMatchObject({ status: "paid", attemptCount: 2 });
    expect(merchant.subscriptionStatus(id)).toBe("active");
  });

  test("and three retries without a passed challenge, is unpaid", async () => {
    const { merchant, id } = await renewed();
    await merchant.sim.clock.advance("4 days");
    expect(merchant.subscriptionStatus(id)).toBe("unpaid");
    expect(merchant.invoice(id).attemptCount).toBe(4);
  });

  test.each(["void", "keep"] as const)("is over when the subscription is cancelled (%s)", async (value) => {
    const merchant = await Merchant.open({
      assumptions: { "subscription.off-session-challenge": "redirect", "subscription.cancel": value },
    });
    const { id, nextBillingAt = "" } = await merchant.subscribe(CARD);
    await merchant.sim.clock.advanceTo(nextBillingAt);
    const { latestInvoice } = ok(await merchant.cancelSubscription(id));
    expect(latestInvoice).toMatchObject({
      status: value === "void" ? "void" : "open",
      paymentIntent: { status: "canceled" },
    });
    await merchant.sim.clock.advance("7 days");
    expect(merchant.invoice(id).attemptCount).toBe(1);
  });

  test("is charged anew when the back office cancels its intent", async () => {
    const { merchant, id } = await renewed();
    const { paymentIntent } = merchant.invoice(id);
    merchant.sim.intents.cancel(paymentIntent.id);
    expect(merchant.invoice(id)).toMatchObject({ status: "open", paymentIntent: { status: "requires_action" } });
    expect(merchant.invoice(id).paymentIntent.id).not.toBe(paymentIntent.id);
  });

  test("is not charged again by the next renewal while it waits", async () => {
    const merchant = await Merchant.open({
      assumptions: {
        "subscription.off-session-challenge": "redirect",
        "intent.authentication": { card: "3 days", gcash: "1 hour", grab_pay: "1 hour" },
      },
    });
    const { id, nextBillingAt = "" } = await merchant.subscribe(CARD, { interval: "day" });
    await merchant.sim.clock.advanceTo(nextBillingAt);
    await merchant.sim.clock.advance("1 day");
    expect(merchant.invoices(id).map(({ attemptCount }) => attemptCount)).toEqual([1, 1, 0]);
  });
});

test("by default such a renewal is declined", async () => {
  const merchant = await Merchant.open();
  const { id } = await merchant.pastDue(CARD);
  expect(merchant.invoice(id).paymentIntent).toMatchObject({ status: "failed", declineCode: "3D_SECURE_REQUIRED" });
});
