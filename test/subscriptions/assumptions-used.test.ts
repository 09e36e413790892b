import { expect, test } from "vitest";
import { Merchant } from "../merchant.ts";

/** The subscription's assumptions that a run relied on besides those of its requests. */
async function reliedOn(live: (merchant: Merchant) => Promise<unknown>): Promise<string[]> {
  const merchant = await Merchant.open();
  await live(merchant);
  const relevant = new Set([
    "subscription.late-first-payment",
    "subscription.renewal",
    "subscription.retries",
    "subscription.open-invoices",
    "subscription.recovery",
    "subscription.events",
    "webhook.subscription",
  ]);
  return merchant.sim.assumptions.used().flatMap(({ id }) => (relevant.has(id) ? [id] : []));
}

test("a subscription that is not paid yet relies on the period of its invoice, and on nothing that comes later", async () => {
  expect(await reliedOn((merchant) => merchant.start())).toEqual(["subscription.renewal"]);
});

test("the mark of 24 hours relies on its own assumption", async () => {
  const lapse = async (merchant: Merchant): Promise<void> => {
    await merchant.start();
    await merchant.sim.clock.advance("1 day");
  };
  expect(await reliedOn(lapse)).toEqual([
    "subscription.late-first-payment",
    "subscription.renewal",
    "subscription.events",
    "webhook.subscription",
  ]);
});

test("an active subscription relies on the anchor of its periods, a failed renewal on its retries", async () => {
  const always = ["subscription.renewal", "subscription.events", "webhook.subscription"];
  expect(await reliedOn((merchant) => merchant.subscribe())).toEqual(always);
  expect(await reliedOn((merchant) => merchant.pastDue())).toEqual(always.toSpliced(1, 0, "subscription.retries"));
});

test("several open invoices, and the way back to active, rely on theirs", async () => {
  const recover = async (merchant: Merchant): Promise<void> => {
    const { id } = await merchant.pastDue("pm_card_declines_renewals", { interval: "day" });
    await merchant.sim.clock.advance("1 day");
    await merchant.processPayment(id);
    await merchant.sim.clock.settle();
    expect(merchant.subscriptionStatus(id)).toBe("active");
  };
  expect(await reliedOn(recover)).toEqual([
    "subscription.renewal",
    "subscription.retries",
    "subscription.open-invoices",
    "subscription.recovery",
    "subscription.events",
    "webhook.subscription",
  ]);
});
