import { describe, expect, test } from "vitest";
import { Merchant } from "../merchant.ts";
import { ok, refusedAs } from "../merchant/answers.ts";

const starts = (merchant: Merchant, id: string): string[] =>
  merchant.invoices(id).map(({ periodStart }) => periodStart.slice(0, 10));

/** Activates at the very start of a day, so that dates are enough to compare periods. */
const START = { now: "2026-01-31T00:00:00Z" } as const;

describe("a plan change", () => {
  test("waits as pendingPlan until the next invoice, which has the new amount", async () => {
    const merchant = await Merchant.open(START);
    const { id, plan } = await merchant.subscribe();
    const dearer = await merchant.createPlan({ name: "Roasters' club", amount: 99_900 });
    expect(ok(await merchant.changePlan(id, dearer.id))).toMatchObject({ plan, pendingPlan: dearer });
    expect((await merchant.readSubscription(id)).latestInvoice.amount).toBe(49_900);
    await merchant.sim.clock.advance("1 month");
    const renewed = await merchant.readSubscription(id);
    expect(renewed).toMatchObject({ plan: dearer, latestInvoice: { amount: 99_900, status: "paid" } });
    expect(renewed.pendingPlan).toBeUndefined();
    expect(merchant.sim.intents.last()).toMatchObject({ amount: 99_900, description: "Roasters' club" });
  });

  test("is the last one that was asked for, and changing back takes it back", async () => {
    const merchant = await Merchant.open(START);
    const { id, plan } = await merchant.subscribe();
    const [first, second] = [await merchant.createPlan({ amount: 1 }), await merchant.createPlan({ amount: 2 })];
    await merchant.changePlan(id, first.id);
    expect(ok(await merchant.changePlan(id, second.id)).pendingPlan).toEqual(second);
    expect(ok(await merchant.changePlan(id, plan.id)).pendingPlan).toBeUndefined();
    await merchant.sim.clock.advance("1 month");
    expect(await merchant.readSubscription(id)).toMatchObject({ plan, latestInvoice: { amount: 49_900 } });
  });

  test("counts for a renewal a millisecond later, and not for the one before", async () => {
    const merchant = await Merchant.open(START);
    const { id, currentPeriodEnd } = await merchant.subscribe();
    const dearer = await merchant.createPlan({ amount: 99_900 });
    await merchant.sim.clock.advanceTo(Date.parse(currentPeriodEnd ?? "") - 1);
    ok(await merchant.changePlan(id, dearer.id));
    await merchant.sim.clock.advance({ milliseconds: 1 });
    expect(merchant.invoice(id).amount).toBe(99_900);
    const cheaper = await merchant.createPlan({ amount: 100 });
    ok(await merchant.changePlan(id, cheaper.id));
    expect(merchant.invoice(id).amount).toBe(99_900);
    await merchant.sim.clock.advanceTo("2026-03-31");
    expect(merchant.invoice(id).amount).toBe(100);
  });

  test("to the same interval keeps the anchor", async () => {
    const merchant = await Merchant.open(START);
    const { id } = await merchant.subscribe();
    await merchant.changePlan(id, (await merchant.createPlan({ amount: 99_900 })).id);
    await merchant.sim.clock.advanceTo("2026-04-30");
    expect(starts(merchant, id)).toEqual(["2026-01-31", "2026-02-28", "2026-03-31", "2026-04-30"]);
  });

  test("to another interval starts a new anchor at that boundary", async () => {
    const merchant = await Merchant.open(START);
    const { id } = await merchant.subscribe();
    const weekly = await merchant.createPlan({ interval: "week", intervalCount: 2 });
    const monthly = await merchant.createPlan();
    await merchant.changePlan(id, weekly.id);
    await merchant.sim.clock.advanceTo("2026-03-13");
    await merchant.changePlan(id, monthly.id);
    await merchant.sim.clock.advanceTo("2026-04-28");
    expect(starts(merchant, id)).toEqual(["2026-01-31", "2026-02-28", "2026-03-14", "2026-04-14"]);
  });

  test("to another number of intervals is a new interval", async () => {
    const merchant = await Merchant.open(START);
    const { id } = await merchant.subscribe();
    await merchant.changePlan(id, (await merchant.createPlan({ intervalCount: 2 })).id);
    await merchant.sim.clock.advanceTo("2026-06-28");
    expect(starts(merchant, id)).toEqual(["2026-01-31", "2026-02-28", "2026-04-28", "2026-06-28"]);
  });

  test.each(["pastDue", "unpaid"] as const)("is allowed in %s, and open invoices keep their amount", async (reach) => {
    const merchant = await Merchant.open();
    const { id } = await merchant[reach]();
    const dearer = await merchant.createPlan({ amount: 99_900 });
    ok(await merchant.changePlan(id, dearer.id));
    await merchant.sim.clock.advance("1 month");
    expect(merchant.invoices(id).map(({ amount, status }) => [amount, status])).toEqual([
      [49_900, "paid"],
      [49_900, "open"],
      [99_900, "open"],
    ]);
    ok(await merchant.processPayment(id));
    await merchant.sim.clock.settle();
    expect(merchant.invoices(id).map(({ amount, status }) => [amount, status])).toEqual([
      [49_900, "paid"],
      [49_900, "paid"],
      [99_900, "paid"],
    ]);
  });

  test("is refused for an unknown or missing plan, and for another merchant's", async () => {
    const merchant = await Merchant.open();
    const other = await merchant.neighbour();
    const { id } = await merchant.subscribe();
    refusedAs(await merchant.changePlan(id, "plan_unknown"), 404, "PLAN_NOT_FOUND");
    refusedAs(await merchant.changePlan(id, (await other.createPlan()).id), 404, "PLAN_NOT_FOUND");
    refusedAs(await merchant.call("PATCH", `/api/subscription/${id}/plan`, {}), 400, "VALIDATION_ERROR");
  });

  test("ends with the subscription", async () => {
    const merchant = await Merchant.open();
    const { id } = await merchant.subscribe();
    ok(await merchant.changePlan(id, (await merchant.createPlan({ amount: 1 })).id));
    expect(ok(await merchant.cancelSubscription(id)).pendingPlan).toBeUndefined();
  });
});
