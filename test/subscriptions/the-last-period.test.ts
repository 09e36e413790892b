import { afterEach, expect, test } from "vitest";
import { contradictions } from "../contract/contradictions.ts";
import { Merchant } from "../merchant.ts";
import { ok } from "../merchant/answers.ts";

const LAST = "+275760-09-13T00:00:00.000Z";

// The years of a date-time in OpenAPI have four digits, so these answers and events contradict it.
afterEach(async () => {
  await contradictions.take();
});

function warningsOf({ sim }: Merchant): unknown[] {
  return sim.journal.entries.filter(({ kind }) => kind === "warning").map(({ details }) => details["message"]);
}

test.each(["day", "week", "month", "year"])(
  "a renewal by the %s past the last moment of a Date ends the schedule, and the journal says so",
  async (interval) => {
    const merchant = await Merchant.open({ now: "+275758-07-31T12:00:00Z" });
    const { id } = await merchant.subscribe("pm_card_approved", {
      interval,
      intervalCount: interval === "day" ? 99 : 1,
    });
    expect(warningsOf(merchant)).toEqual([]);
    await merchant.sim.clock.advanceTo(LAST);
    const [last] = merchant.invoices(id).slice(-1);
    expect(last).toMatchObject({ periodEnd: LAST, status: "paid" });
    const subscription = merchant.sim.subscriptions.get(id);
    expect(subscription).toMatchObject({ status: "active", currentPeriodEnd: LAST });
    expect(subscription).not.toHaveProperty("nextBillingAt");
    expect(warningsOf(merchant)).toEqual([
      `The subscription ${id} is not renewed any more: its period would end after ${LAST}, the last moment of a Date.`,
    ]);
    expect(merchant.sim.clock.pending().filter(({ key }) => key.includes(id))).toEqual([]);
  },
);

test("a first period that leads past the last moment of a Date is the only one", async () => {
  const merchant = await Merchant.open({ now: "+275000-01-01T00:00:00Z" });
  const { id } = await merchant.subscribe("pm_card_approved", { interval: "year", intervalCount: 1000 });
  expect(await merchant.readSubscription(id)).toMatchObject({ status: "active", currentPeriodEnd: LAST });
  expect(warningsOf(merchant)).toHaveLength(1);
  ok(await merchant.changeMethod(id, "pm_card_challenge"));
  ok(await merchant.cancelSubscription(id));
  expect(merchant.subscriptionStatus(id)).toBe("cancelled");
});
