import { describe, expect, test } from "vitest";
import { Merchant } from "../merchant.ts";
import { ok, refusedAs } from "../merchant/answers.ts";

const starts = (shop: Merchant, id: string): string[] =>
  shop.invoices(id).map(({ periodStart }) => periodStart.slice(0, 10));

/** Activates at the very start of a day, so that dates alone tell the periods. */
const START = { now: "2026-01-31T00:00:00Z" } as const;

describe("a plan change", () => {
  test("waits as pendingPlan until the next invoice, which has the new amount", async () => {
    const shop = await Merchant.open(START);
    const { id, plan } = await shop.subscribe();
    const dearer = await shop.createPlan({ name: "Roasters' club", amount: 99_900 });
    expect(ok(await shop.changePlan(id, dearer.id))).toMatchObject({ plan, pendingPlan: dearer });
    expect((await shop.readSubscription(id)).latestInvoice.amount).toBe(49_900);
    await shop.sim.clock.advance("1 month");
    const renewed = await shop.readSubscription(id);
    expect(renewed).toMatchObject({ plan: dearer, latestInvoice: { amount: 99_900, status: "paid" } });
    expect(renewed.pendingPlan).toBeUndefined();
    expect(shop.sim.intents.last()).toMatchObject({ amount: 99_900, description: "Roasters' club" });
  });

  test("is the last one that was asked for, and changing back takes it back", async () => {
    const shop = await Merchant.open(START);
    const { id, plan } = await shop.subscribe();
    const [first, second] = [await shop.createPlan({ amount: 1 }), await shop.createPlan({ amount: 2 })];
    await shop.changePlan(id, first.id);
    expect(ok(await shop.changePlan(id, second.id)).pendingPlan).toEqual(second);
    expect(ok(await shop.changePlan(id, plan.id)).pendingPlan).toBeUndefined();
    await shop.sim.clock.advance("1 month");
    expect(await shop.readSubscription(id)).toMatchObject({ plan, latestInvoice: { amount: 49_900 } });
  });

  test("counts for the renewal that it comes a millisecond before, and not for the one before it", async () => {
    const shop = await Merchant.open(START);
    const { id, currentPeriodEnd } = await shop.subscribe();
    const dearer = await shop.createPlan({ amount: 99_900 });
    await shop.sim.clock.advanceTo(Date.parse(currentPeriodEnd ?? "") - 1);
    ok(await shop.changePlan(id, dearer.id));
    await shop.sim.clock.advance({ milliseconds: 1 });
    expect(shop.invoice(id).amount).toBe(99_900);
    const cheaper = await shop.createPlan({ amount: 100 });
    ok(await shop.changePlan(id, cheaper.id));
    expect(shop.invoice(id).amount).toBe(99_900);
    await shop.sim.clock.advanceTo("2026-03-31");
    expect(shop.invoice(id).amount).toBe(100);
  });

  test("to the same interval keeps the anchor", async () => {
    const shop = await Merchant.open(START);
    const { id } = await shop.subscribe();
    await shop.changePlan(id, (await shop.createPlan({ amount: 99_900 })).id);
    await shop.sim.clock.advanceTo("2026-04-30");
    expect(starts(shop, id)).toEqual(["2026-01-31", "2026-02-28", "2026-03-31", "2026-04-30"]);
  });

  test("to another interval starts a new anchor at that boundary", async () => {
    const shop = await Merchant.open(START);
    const { id } = await shop.subscribe();
    const weekly = await shop.createPlan({ interval: "week", intervalCount: 2 });
    const monthly = await shop.createPlan();
    await shop.changePlan(id, weekly.id);
    await shop.sim.clock.advanceTo("2026-03-13");
    await shop.changePlan(id, monthly.id);
    await shop.sim.clock.advanceTo("2026-04-28");
    expect(starts(shop, id)).toEqual(["2026-01-31", "2026-02-28", "2026-03-14", "2026-04-14"]);
  });

  test("to another number of intervals is a new interval", async () => {
    const shop = await Merchant.open(START);
    const { id } = await shop.subscribe();
    await shop.changePlan(id, (await shop.createPlan({ intervalCount: 2 })).id);
    await shop.sim.clock.advanceTo("2026-06-28");
    expect(starts(shop, id)).toEqual(["2026-01-31", "2026-02-28", "2026-04-28", "2026-06-28"]);
  });

  test.each(["pastDue", "unpaid"] as const)("is allowed in %s, and open invoices keep their amount", async (reach) => {
    const shop = await Merchant.open();
    const { id } = await shop[reach]();
    const dearer = await shop.createPlan({ amount: 99_900 });
    ok(await shop.changePlan(id, dearer.id));
    await shop.sim.clock.advance("1 month");
    expect(shop.invoices(id).map(({ amount, status }) => [amount, status])).toEqual([
      [49_900, "paid"],
      [49_900, "open"],
      [99_900, "open"],
    ]);
    ok(await shop.processPayment(id));
    await shop.sim.clock.settle();
    expect(shop.invoices(id).map(({ amount, status }) => [amount, status])).toEqual([
      [49_900, "paid"],
      [49_900, "paid"],
      [99_900, "paid"],
    ]);
  });

  test("is refused for a plan that is unknown, or another merchant's, or not named", async () => {
    const shop = await Merchant.open();
    const other = await shop.neighbour();
    const { id } = await shop.subscribe();
    refusedAs(await shop.changePlan(id, "plan_unknown"), 404, "PLAN_NOT_FOUND");
    refusedAs(await shop.changePlan(id, (await other.createPlan()).id), 404, "PLAN_NOT_FOUND");
    refusedAs(await shop.call("PATCH", `/api/subscription/${id}/plan`, {}), 400, "VALIDATION_ERROR");
  });

  test("ends with the subscription", async () => {
    const shop = await Merchant.open();
    const { id } = await shop.subscribe();
    ok(await shop.changePlan(id, (await shop.createPlan({ amount: 1 })).id));
    expect(ok(await shop.cancelSubscription(id)).pendingPlan).toBeUndefined();
  });
});
