import { describe, expect, test } from "vitest";
import { DAY, after } from "../instants.ts";
import { Merchant } from "../merchant.ts";
import { ok } from "../merchant/answers.ts";

const standing = (shop: Merchant, id: string): unknown[] =>
  shop.invoices(id).map(({ status, attemptCount }) => `${status} ${attemptCount}`);

describe("a subscription with several open invoices", () => {
  test("gets one more at every boundary, which is not charged yet, and boundaries do not move", async () => {
    const shop = await Merchant.open();
    const { id, currentPeriodStart } = await shop.pastDue("pm_card_declines_renewals", { interval: "day" });
    await shop.sim.clock.advance("2 days");
    expect(standing(shop, id)).toEqual(["paid 1", "open 3", "open 0", "open 0"]);
    expect(shop.invoice(id).nextAttemptAt).toBeUndefined();
    await shop.sim.clock.advance("2 days");
    expect(standing(shop, id)).toEqual(["paid 1", "open 4", "open 0", "open 0", "open 0", "open 0"]);
    expect(await shop.readSubscription(id)).toMatchObject({
      status: "unpaid",
      currentPeriodStart: after(currentPeriodStart, 4 * DAY),
      nextBillingAt: after(currentPeriodStart, 5 * DAY),
      latestInvoice: { number: "INV-000006", paymentIntent: { status: "requires_payment_method" } },
    });
  });

  test("charges the next at once when one is paid, and is active only when none is open", async () => {
    const shop = await Merchant.open({ assumptions: { "intent.processing-time": "1 hour" } });
    const { id } = await shop.unpaid("pm_card_declines_renewals", { interval: "day" });
    const open = shop.invoices(id).filter(({ status }) => status === "open").length;
    expect(open).toBeGreaterThan(2);
    ok(await shop.changeMethod(id, "pm_card_approved"));
    for (let paid = 1; paid < open; paid += 1) {
      await shop.sim.clock.advance("1 hour");
      expect(shop.invoices(id).filter(({ status }) => status === "paid")).toHaveLength(1 + paid);
      expect(shop.invoices(id)[1 + paid]).toMatchObject({ attemptCount: 1, paymentIntent: { status: "processing" } });
      expect(shop.subscriptionStatus(id)).toBe("unpaid");
    }
    await shop.sim.clock.advance("1 hour");
    expect(shop.subscriptionStatus(id)).toBe("active");
    expect(shop.subscriptionEvents.slice(-2)).toEqual(["subscription.invoice.paid", "subscription.activated"]);
    expect(shop.subscriptionEvents.filter((type) => type === "subscription.activated")).toHaveLength(2);
  });

  test("keeps its status when one of them fails, which starts that invoice's own retries", async () => {
    const shop = await Merchant.open();
    const { id } = await shop.unpaid("pm_card_declines_renewals", { interval: "week" });
    await shop.sim.clock.advance("1 week");
    expect(standing(shop, id)).toEqual(["paid 1", "open 4", "open 0"]);
    ok(await shop.processPayment(id, "pm_card_declines_renewals"));
    await shop.sim.clock.settle();
    const at = shop.sim.clock.now();
    expect(standing(shop, id)).toEqual(["paid 1", "paid 5", "open 1"]);
    expect(shop.invoice(id).nextAttemptAt).toBe(after(at, DAY));
    expect(shop.subscriptionStatus(id)).toBe("unpaid");
    await shop.sim.clock.advance("3 days");
    expect(standing(shop, id)).toEqual(["paid 1", "paid 5", "open 4"]);
    expect(shop.subscriptionEvents.filter((type) => type === "subscription.past_due")).toHaveLength(1);
    expect(shop.subscriptionEvents.filter((type) => type === "subscription.unpaid")).toHaveLength(1);
  });

  test("in past_due is unpaid once a later invoice has failed all of its own retries", async () => {
    const shop = await Merchant.open();
    const { id } = await shop.pastDue("pm_card_declines_renewals", { interval: "day" });
    await shop.sim.clock.advance("1 day");
    ok(await shop.processPayment(id, "pm_card_declines_renewals"));
    await shop.sim.clock.settle();
    expect(standing(shop, id)).toEqual(["paid 1", "paid 3", "open 1"]);
    expect(shop.subscriptionStatus(id)).toBe("past_due");
    await shop.sim.clock.advance({ milliseconds: 3 * DAY - 1 });
    expect(shop.subscriptionStatus(id)).toBe("past_due");
    await shop.sim.clock.advance({ milliseconds: 1 });
    expect(shop.subscriptionStatus(id)).toBe("unpaid");
    expect(shop.subscriptionEvents.filter((type) => type === "subscription.past_due")).toHaveLength(1);
  });

  test("waits with a boundary's invoice while the one before is still being charged", async () => {
    const shop = await Merchant.open({ assumptions: { "intent.processing-time": "30 hours" } });
    const { id, currentPeriodEnd } = await shop.subscribe("pm_card_approved", { interval: "day" });
    await shop.sim.clock.advanceTo(after(currentPeriodEnd, DAY));
    expect(standing(shop, id)).toEqual(["paid 1", "open 1", "open 0"]);
    expect(shop.subscriptionStatus(id)).toBe("active");
    await shop.sim.clock.advance("6 hours");
    expect(standing(shop, id)).toEqual(["paid 1", "paid 1", "open 1"]);
  });
});
