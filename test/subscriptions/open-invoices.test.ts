import { describe, expect, test } from "vitest";
import { DAY, after } from "../instants.ts";
import { Merchant } from "../merchant.ts";
import { ok } from "../merchant/answers.ts";

const standing = (merchant: Merchant, id: string): unknown[] =>
  merchant.invoices(id).map(({ status, attemptCount }) => `${status} ${attemptCount}`);

describe("a subscription with several open invoices", () => {
  test("gets one more at every boundary, which is not charged yet, and boundaries do not move", async () => {
    const merchant = await Merchant.open();
    const { id, currentPeriodStart } = await merchant.pastDue("pm_card_declines_renewals", { interval: "day" });
    await merchant.sim.clock.advance("2 days");
    expect(standing(merchant, id)).toEqual(["paid 1", "open 3", "open 0", "open 0"]);
    expect(merchant.invoice(id).nextAttemptAt).toBeUndefined();
    await merchant.sim.clock.advance("2 days");
    expect(standing(merchant, id)).toEqual(["paid 1", "open 4", "open 0", "open 0", "open 0", "open 0"]);
    expect(await merchant.readSubscription(id)).toMatchObject({
      status: "unpaid",
      currentPeriodStart: after(currentPeriodStart, 4 * DAY),
      nextBillingAt: after(currentPeriodStart, 5 * DAY),
      latestInvoice: { number: "INV-000006", paymentIntent: { status: "requires_payment_method" } },
    });
  });

  test("charges the next at once when one is paid, and after a failure is active again once all are paid", async () => {
    const merchant = await Merchant.open({ assumptions: { "intent.processing-time": "1 hour" } });
    const { id } = await merchant.unpaid("pm_card_declines_renewals", { interval: "day" });
    const open = merchant.invoices(id).filter(({ status }) => status === "open").length;
    expect(open).toBeGreaterThan(2);
    ok(await merchant.changeMethod(id, "pm_card_approved"));
    for (let paid = 1; paid < open; paid += 1) {
      await merchant.sim.clock.advance("1 hour");
      expect(merchant.invoices(id).filter(({ status }) => status === "paid")).toHaveLength(1 + paid);
      expect(merchant.invoices(id)[1 + paid]).toMatchObject({
        attemptCount: 1,
        paymentIntent: { status: "processing" },
      });
      expect(merchant.subscriptionStatus(id)).toBe("unpaid");
    }
    await merchant.sim.clock.advance("1 hour");
    expect(merchant.subscriptionStatus(id)).toBe("active");
    expect(merchant.subscriptionEvents.slice(-2)).toEqual(["subscription.invoice.paid", "subscription.activated"]);
    expect(merchant.subscriptionEvents.filter((type) => type === "subscription.activated")).toHaveLength(2);
  });

  test("keeps its status when one of them fails, which starts that invoice's own retries", async () => {
    const merchant = await Merchant.open();
    const { id } = await merchant.unpaid("pm_card_declines_renewals", { interval: "week" });
    await merchant.sim.clock.advance("1 week");
    expect(standing(merchant, id)).toEqual(["paid 1", "open 4", "open 0"]);
    ok(await merchant.processPayment(id, "pm_card_declines_renewals"));
    await merchant.sim.clock.settle();
    const at = merchant.sim.clock.now();
    expect(standing(merchant, id)).toEqual(["paid 1", "paid 5", "open 1"]);
    expect(merchant.invoice(id).nextAttemptAt).toBe(after(at, DAY));
    expect(merchant.subscriptionStatus(id)).toBe("unpaid");
    await merchant.sim.clock.advance("3 days");
    expect(standing(merchant, id)).toEqual(["paid 1", "paid 5", "open 4"]);
    expect(merchant.subscriptionEvents.filter((type) => type === "subscription.past_due")).toHaveLength(1);
    expect(merchant.subscriptionEvents.filter((type) => type === "subscription.unpaid")).toHaveLength(1);
  });

  test("in past_due becomes unpaid once a later invoice has failed all of its retries", async () => {
    const merchant = await Merchant.open();
    const { id } = await merchant.pastDue("pm_card_declines_renewals", { interval: "day" });
    await merchant.sim.clock.advance("1 day");
    ok(await merchant.processPayment(id, "pm_card_declines_renewals"));
    await merchant.sim.clock.settle();
    expect(standing(merchant, id)).toEqual(["paid 1", "paid 3", "open 1"]);
    expect(merchant.subscriptionStatus(id)).toBe("past_due");
    await merchant.sim.clock.advance({ milliseconds: 3 * DAY - 1 });
    expect(merchant.subscriptionStatus(id)).toBe("past_due");
    await merchant.sim.clock.advance({ milliseconds: 1 });
    expect(merchant.subscriptionStatus(id)).toBe("unpaid");
    expect(merchant.subscriptionEvents.filter((type) => type === "subscription.past_due")).toHaveLength(1);
  });

  test("waits with a boundary's invoice while the one before is still being charged", async () => {
    const merchant = await Merchant.open({ assumptions: { "intent.processing-time": "30 hours" } });
    const { id, currentPeriodEnd } = await merchant.subscribe("pm_card_approved", { interval: "day" });
    await merchant.sim.clock.advanceTo(after(currentPeriodEnd, DAY));
    expect(standing(merchant, id)).toEqual(["paid 1", "open 1", "open 0"]);
    expect(merchant.subscriptionStatus(id)).toBe("active");
    await merchant.sim.clock.advance("6 hours");
    expect(standing(merchant, id)).toEqual(["paid 1", "paid 1", "open 1"]);
  });
});
