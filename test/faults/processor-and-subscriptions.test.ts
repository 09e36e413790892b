import { describe, expect, test } from "vitest";
import { DAY, HOUR, after } from "../instants.ts";
import { Merchant } from "../merchant.ts";
import { ok, refusedAs } from "../merchant/answers.ts";

describe("a first payment", () => {
  test("that is decided past 24 hours activates the subscription, even if the merchant gave it up", async () => {
    const merchant = await Merchant.open();
    merchant.sim.faults.add({ kind: "processor.late", delay: "30 hours" });
    const { id } = await merchant.start();
    ok(await merchant.processPayment(id));
    await merchant.sim.clock.advance("24 hours");
    expect(merchant.subscriptionStatus(id)).toBe("incomplete");
    await merchant.sim.clock.advance({ milliseconds: 6 * HOUR - 1 });
    expect(merchant.subscriptionStatus(id)).toBe("incomplete");
    await merchant.sim.clock.advance("1 ms");
    expect(await merchant.readSubscription(id)).toMatchObject({
      status: "active",
      currentPeriodStart: merchant.sim.clock.now(),
    });
    expect(merchant.subscriptionEvents).toEqual(["subscription.invoice.paid", "subscription.activated"]);
  });

  test("that is declined past 24 hours ends the subscription at that moment", async () => {
    const merchant = await Merchant.open();
    merchant.sim.faults.add({ kind: "processor.late", delay: "30 hours" });
    merchant.sim.faults.add({ kind: "processor.decline", code: "lost_card" });
    const { id } = await merchant.start();
    ok(await merchant.processPayment(id));
    await merchant.sim.clock.advance("24 hours");
    expect(merchant.subscriptionStatus(id)).toBe("incomplete");
    await merchant.sim.clock.advance("6 hours");
    expect(merchant.subscriptionStatus(id)).toBe("incomplete_cancelled");
    expect(merchant.invoice(id)).toMatchObject({ status: "void", paymentIntent: { declineCode: "lost_card" } });
  });

  test("that is stuck keeps the subscription incomplete forever", async () => {
    const merchant = await Merchant.open();
    merchant.sim.faults.add({ kind: "processor.stuck" });
    const { id } = await merchant.start();
    ok(await merchant.processPayment(id));
    await merchant.sim.clock.advance("400 days");
    expect(merchant.subscriptionStatus(id)).toBe("incomplete");
    expect(merchant.sim.clock.pending()).toEqual([]);
    refusedAs(await merchant.processPayment(id), 409, "INVALID_STATE");
  });

  test("that the processor cannot take does not count as an attempt, and may be sent again", async () => {
    const merchant = await Merchant.open();
    merchant.sim.faults.add({ kind: "processor.unavailable", times: 2, customer: "present" });
    const { id } = await merchant.start();
    refusedAs(await merchant.processPayment(id), 500, "INTERNAL_ERROR");
    refusedAs(
      await merchant.confirmByKey(merchant.invoice(id).paymentIntent, "pm_card_approved"),
      500,
      "INTERNAL_ERROR",
    );
    expect(merchant.invoice(id)).toMatchObject({ status: "open", attemptCount: 0 });
    ok(await merchant.processPayment(id));
    await merchant.sim.clock.settle();
    expect(merchant.subscriptionStatus(id)).toBe("active");
  });

  test("is declined at once by a synchronous fault, and the next card pays", async () => {
    const merchant = await Merchant.open();
    merchant.sim.faults.add({ kind: "processor.decline", code: "insufficient_funds", synchronous: true, times: 1 });
    const { id } = await merchant.start();
    refusedAs(await merchant.processPayment(id), 402, "INSUFFICIENT_FUNDS");
    expect(merchant.invoice(id)).toMatchObject({ status: "open", attemptCount: 1 });
    ok(await merchant.processPayment(id));
    await merchant.sim.clock.settle();
    expect(merchant.subscriptionStatus(id)).toBe("active");
  });
});

describe("a renewal", () => {
  test("that a fault declines is retried, and paid when the fault is spent", async () => {
    const merchant = await Merchant.open();
    const { id } = await merchant.subscribe();
    merchant.sim.faults.add({ kind: "processor.decline", code: "insufficient_funds", customer: "absent", times: 2 });
    await merchant.sim.clock.advance("1 month");
    expect(merchant.invoice(id)).toMatchObject({
      status: "open",
      paymentIntent: { status: "failed", declineCode: "insufficient_funds" },
    });
    expect(merchant.subscriptionStatus(id)).toBe("past_due");
    await merchant.sim.clock.advance("1 day");
    expect(merchant.invoice(id)).toMatchObject({ status: "open", attemptCount: 2 });
    await merchant.sim.clock.advance("1 day");
    expect(merchant.invoice(id)).toMatchObject({ status: "paid", attemptCount: 3 });
    expect(merchant.subscriptionStatus(id)).toBe("active");
  });

  test("is declined later even by a synchronous fault, because no client waits for an answer", async () => {
    const merchant = await Merchant.open();
    const { id } = await merchant.subscribe();
    merchant.sim.faults.add({ kind: "processor.decline", code: "blocked", synchronous: true });
    await merchant.sim.clock.advance("1 month");
    expect(merchant.invoice(id).paymentIntent).toMatchObject({ status: "failed", declineCode: "blocked" });
    expect(merchant.eventTypes.slice(-4)).toEqual([
      "payment_intent.processing",
      "payment_intent.failed",
      "subscription.invoice.payment_failed",
      "subscription.past_due",
    ]);
  });

  test("that the processor cannot take fails with processor_unavailable as often as the fault says", async () => {
    const merchant = await Merchant.open();
    const { id } = await merchant.subscribe();
    merchant.sim.faults.add({ kind: "processor.unavailable", resource: id, times: 3 });
    await merchant.sim.clock.advance("1 month");
    for (const attemptCount of [1, 2, 3]) {
      expect(merchant.invoice(id)).toMatchObject({
        attemptCount,
        status: "open",
        paymentIntent: { status: "failed", declineCode: "processor_unavailable" },
      });
      await merchant.sim.clock.advance("1 day");
    }
    expect(merchant.invoice(id)).toMatchObject({ status: "paid", attemptCount: 4 });
  });

  test("whose late retry meets the next one makes the next one wait, and there are still three", async () => {
    const merchant = await Merchant.open();
    const { id } = await merchant.subscribe("pm_card_declines_renewals");
    merchant.sim.faults.add({ kind: "processor.late", delay: "30 hours", customer: "absent", nth: 2 });
    await merchant.sim.clock.advance("1 month");
    const failedAt = merchant.sim.clock.now();
    await merchant.sim.clock.advance("1 day");
    expect(merchant.invoice(id)).toMatchObject({ attemptCount: 2, paymentIntent: { status: "processing" } });
    await merchant.sim.clock.advanceTo(after(failedAt, DAY + 30 * HOUR - 1));
    expect(merchant.invoice(id)).toMatchObject({ attemptCount: 2, paymentIntent: { status: "processing" } });
    await merchant.sim.clock.advance("1 ms");
    expect(merchant.invoice(id)).toMatchObject({ attemptCount: 3, nextAttemptAt: after(failedAt, 3 * DAY) });
    await merchant.sim.clock.advanceTo(after(failedAt, 3 * DAY));
    expect(merchant.invoice(id).attemptCount).toBe(4);
    expect(merchant.subscriptionStatus(id)).toBe("unpaid");
  });

  test("that is paid after the next period has begun lets its invoice follow at once", async () => {
    const merchant = await Merchant.open();
    const { id } = await merchant.subscribe("pm_card_approved", { interval: "day" });
    merchant.sim.faults.add({ kind: "processor.late", delay: "36 hours", customer: "absent", times: 1 });
    await merchant.sim.clock.advance("2 days");
    const states = () => merchant.invoices(id).map(({ status, attemptCount }) => [status, attemptCount]);
    expect(states()).toEqual([
      ["paid", 1],
      ["open", 1],
      ["open", 0],
    ]);
    await merchant.sim.clock.advance("12 hours");
    expect(states()).toEqual([
      ["paid", 1],
      ["paid", 1],
      ["paid", 1],
    ]);
    expect(merchant.subscriptionStatus(id)).toBe("active");
  });

  test("that is stuck holds up all later ones, and a cancellation does not free it", async () => {
    const merchant = await Merchant.open();
    const { id } = await merchant.subscribe("pm_card_approved", { interval: "week" });
    merchant.sim.faults.add({ kind: "processor.stuck", customer: "absent", times: 1 });
    await merchant.sim.clock.advance("3 weeks");
    const attempts = () => merchant.invoices(id).map(({ status, attemptCount }) => [status, attemptCount]);
    expect(attempts()).toEqual([
      ["paid", 1],
      ["open", 1],
      ["open", 0],
      ["open", 0],
    ]);
    expect(merchant.subscriptionStatus(id)).toBe("active");
    ok(await merchant.cancelSubscription(id));
    await merchant.sim.clock.advance("3 weeks");
    expect(merchant.subscriptionStatus(id)).toBe("cancelled");
    expect(merchant.invoice(id, 1)).toMatchObject({ status: "open", paymentIntent: { status: "processing" } });
    expect(merchant.sim.clock.pending()).toEqual([]);
  });
});

describe("a fault may mean a subscription's charges", () => {
  const decline = { kind: "processor.decline", code: "blocked" } as const;

  test("by the ids of the subscription, its invoice, its intent and its session token", async () => {
    const merchant = await Merchant.open();
    const nameless = await merchant.start();
    for (const nameOf of ["subscription", "invoice", "intent", "token", "externalId"] as const) {
      const started = await merchant.initiate(nameless.plan.id, { externalId: `club-${nameOf}` });
      const names = {
        subscription: started.id,
        invoice: started.latestInvoice.id,
        intent: started.latestInvoice.paymentIntent.id,
        token: started.sessionToken,
        externalId: `club-${nameOf}`,
      };
      const fault = merchant.sim.faults.add({ ...decline, resource: names[nameOf] });
      await merchant.subscribe();
      expect(fault.hits).toBe(0);
      ok(await merchant.processPayment(started.id));
      expect(fault.hits, nameOf).toBe(1);
    }
  });

  test("by whether the customer is there", async () => {
    const merchant = await Merchant.open();
    const present = merchant.sim.faults.add({ ...decline, customer: "present", after: 1 });
    const absent = merchant.sim.faults.add({ ...decline, customer: "absent", times: 1 });
    const { id } = await merchant.subscribe();
    expect([present.hits, absent.hits]).toEqual([0, 0]);
    await merchant.sim.clock.advance("1 month");
    expect([present.hits, absent.hits]).toEqual([0, 1]);
    ok(await merchant.processPayment(id));
    expect([present.hits, absent.hits]).toEqual([1, 1]);
  });
});
