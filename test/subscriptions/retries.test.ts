import { describe, expect, test } from "vitest";
import { DAY, after } from "../instants.ts";
import { Merchant } from "../merchant.ts";

describe("the retries of a failed renewal", () => {
  test("come 24, 48 and 72 hours after the first failure, each on the millisecond, and the third that fails makes it unpaid", async () => {
    const merchant = await Merchant.open();
    const { id } = await merchant.pastDue();
    const failedAt = merchant.sim.clock.now();
    for (const retry of [1, 2, 3]) {
      expect(merchant.invoice(id)).toMatchObject({ attemptCount: retry, nextAttemptAt: after(failedAt, retry * DAY) });
      await merchant.sim.clock.advanceTo(after(failedAt, retry * DAY - 1));
      expect(merchant.invoice(id).attemptCount).toBe(retry);
      expect(merchant.subscriptionStatus(id)).toBe("past_due");
      await merchant.sim.clock.advance({ milliseconds: 1 });
      expect(merchant.invoice(id).attemptCount).toBe(retry + 1);
      expect(merchant.subscriptionStatus(id)).toBe(retry < 3 ? "past_due" : "unpaid");
    }
    expect(merchant.invoice(id)).toMatchObject({ status: "open", attemptCount: 4 });
    expect(merchant.invoice(id).nextAttemptAt).toBeUndefined();
    await merchant.sim.clock.advance("20 days");
    expect(merchant.invoice(id)).toMatchObject({ attemptCount: 4 });
    expect(merchant.subscriptionEvents.slice(2)).toEqual([
      "subscription.invoice.payment_failed",
      "subscription.past_due",
      "subscription.invoice.payment_failed",
      "subscription.invoice.payment_failed",
      "subscription.invoice.payment_failed",
      "subscription.unpaid",
    ]);
  });

  test("count from the end of the first attempt, however long it takes", async () => {
    const merchant = await Merchant.open({ assumptions: { "intent.processing-time": "5 hours" } });
    const { id, currentPeriodEnd } = await merchant.subscribe("pm_card_declines_renewals");
    await merchant.sim.clock.advanceTo(after(currentPeriodEnd, 0));
    expect(merchant.invoice(id)).toMatchObject({ attemptCount: 1, paymentIntent: { status: "processing" } });
    expect(merchant.subscriptionStatus(id)).toBe("active");
    await merchant.sim.clock.advance("5 hours");
    const firstFailure = after(currentPeriodEnd, 5 * 3_600_000);
    expect(merchant.invoice(id).nextAttemptAt).toBe(after(firstFailure, DAY));
    await merchant.sim.clock.advance("30 hours");
    expect(merchant.invoice(id).nextAttemptAt).toBe(after(firstFailure, 2 * DAY));
    await merchant.sim.clock.advanceTo(after(firstFailure, 3 * DAY));
    expect(merchant.subscriptionStatus(id)).toBe("past_due");
    await merchant.sim.clock.advance("5 hours");
    expect(merchant.subscriptionStatus(id)).toBe("unpaid");
  });

  test("that fall due during an attempt wait for its end, and there are still three", async () => {
    const merchant = await Merchant.open({ assumptions: { "intent.processing-time": "30 hours" } });
    const { id } = await merchant.pastDue();
    const failedAt = merchant.sim.clock.now();
    await merchant.sim.clock.advance("1 day");
    expect(merchant.invoice(id).attemptCount).toBe(2);
    expect(merchant.invoice(id).nextAttemptAt).toBeUndefined();
    await merchant.sim.clock.advanceTo(after(failedAt, 2 * DAY));
    expect(merchant.invoice(id)).toMatchObject({ attemptCount: 2, paymentIntent: { status: "processing" } });
    await merchant.sim.clock.advanceTo(after(failedAt, DAY + 30 * 3_600_000 - 1));
    expect(merchant.invoice(id).attemptCount).toBe(2);
    await merchant.sim.clock.advance({ milliseconds: 1 });
    expect(merchant.invoice(id).attemptCount).toBe(3);
    await merchant.sim.clock.advanceUntil(() => merchant.subscriptionStatus(id) === "unpaid");
    expect(merchant.invoice(id).attemptCount).toBe(4);
    expect(merchant.sim.clock.now()).toBe(after(failedAt, DAY + 90 * 3_600_000));
  });

  test("each have a separate intent and transaction", async () => {
    const merchant = await Merchant.open();
    const { id } = await merchant.unpaid();
    const invoiceId = merchant.invoice(id).id;
    const attempts = merchant.sim.transactions.list().filter((transaction) => transaction.invoiceId === invoiceId);
    expect(attempts.map(({ status, type, subscriptionId }) => [status, type, subscriptionId])).toEqual(
      Array.from({ length: 4 }, () => ["failed", "subscription", id]),
    );
    expect(new Set(attempts.map(({ intentId }) => intentId)).size).toBe(4);
  });
});

describe("a method that is charged without the customer", () => {
  test.each([
    ["pm_card_challenge", []],
    ["pm_card_recovers", ["insufficient_funds", "insufficient_funds"]],
    ["pm_card_declines_renewals", Array.from({ length: 4 }, () => "generic_decline")],
    ["pm_card_challenge_always", Array.from({ length: 4 }, () => "3D_SECURE_REQUIRED")],
  ])("%s is declined at a renewal with %j", async (method, declines) => {
    const merchant = await Merchant.open();
    const { id } = await merchant.subscribe(method);
    await merchant.sim.clock.advance("1 month");
    await merchant.sim.clock.advance("3 days");
    const invoiceId = merchant.invoice(id).id;
    const codes = merchant.sim.transactions
      .list()
      .filter((transaction) => transaction.invoiceId === invoiceId)
      .flatMap(({ declineCode }) => declineCode ?? []);
    expect(codes).toEqual(declines);
    expect(merchant.subscriptionStatus(id)).toBe(declines.length === 4 ? "unpaid" : "active");
  });

  test("pm_card_recovers does so at every renewal", async () => {
    const merchant = await Merchant.open();
    const { id } = await merchant.subscribe("pm_card_recovers", { interval: "week" });
    await merchant.sim.clock.advance("24 days");
    expect(merchant.invoices(id).map(({ status, attemptCount }) => [status, attemptCount])).toEqual([
      ["paid", 1],
      ["paid", 3],
      ["paid", 3],
      ["paid", 3],
    ]);
  });

  test("pm_card_recovers counts no attempt by hand among its retries", async () => {
    const merchant = await Merchant.open();
    const { id } = await merchant.pastDue();
    merchant.sim.faults.add({ kind: "processor.decline", code: "generic_decline", times: 1 });
    await merchant.changeMethod(id, "pm_card_recovers");
    await merchant.sim.clock.advance("1 day");
    expect(merchant.invoice(id)).toMatchObject({ status: "open", attemptCount: 3 });
    await merchant.sim.clock.advance("1 day");
    expect(merchant.invoice(id)).toMatchObject({ status: "paid", attemptCount: 4 });
  });

  test("is declined when the card has expired meanwhile", async () => {
    const merchant = await Merchant.open({ now: "2026-01-15T00:00:00Z" });
    const method = merchant.sim.paymentMethods.create({
      cardNumber: "4343434343434345",
      expMonth: "3",
      expYear: "2026",
      cvc: "123",
    });
    const { id } = await merchant.subscribe(method);
    await merchant.sim.clock.advanceTo("2026-03-15T00:00:00Z");
    expect(merchant.subscriptionStatus(id)).toBe("active");
    await merchant.sim.clock.advanceTo("2026-04-15T00:00:00Z");
    expect(merchant.subscriptionStatus(id)).toBe("past_due");
    expect(merchant.invoice(id).paymentIntent.declineCode).toBe("card_expired");
  });
});
