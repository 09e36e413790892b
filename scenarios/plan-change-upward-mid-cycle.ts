import { scenario } from "centavo/scenario";
import { openShop } from "./shop.ts";

export default scenario("A reader becomes a scholar with the next invoice, and not before", async (stage) => {
  const { sim, clock, expect, step } = stage;
  const shop = await openShop(stage);
  const amounts = (): number[] => sim.invoices.list().map(({ amount }) => amount);

  step("The customer becomes a reader");
  const member = await shop.join("reader", "pm_card_approved");
  await clock.settle();

  step("In the middle of the month the reader wants to be a scholar: nothing is charged");
  await clock.advance("15 days");
  expect(await shop.changePlan(member, "scholar")).toMatchObject({ plan: "reader", nextPlan: "scholar" });
  await clock.settle();
  expect(sim.subscriptions.last()).toMatchObject({ plan: { name: "reader" }, pendingPlan: { name: "scholar" } });
  expect(amounts()).toEqual([19_900]);

  step("The reader wavers: back to reader takes the change back, and the last word counts");
  await shop.changePlan(member, "reader");
  expect(sim.subscriptions.last()?.pendingPlan).toBeUndefined();
  await shop.changePlan(member, "scholar");

  step("The next invoice is a scholar's");
  await clock.advanceTo("2026-02-01T00:00:00Z");
  expect(amounts()).toEqual([19_900, 49_900]);
  expect(sim.subscriptions.last()).toMatchObject({ status: "active", plan: { name: "scholar" } });
  expect(sim.subscriptions.last()?.pendingPlan).toBeUndefined();
  const scholar = await shop.membership(member);
  expect(scholar).toMatchObject({ plan: "scholar", paidUntil: "2026-03-01T00:00:00.000Z" });
  expect(scholar.nextPlan).toBeUndefined();
  expect(await shop.opensLibrary(member)).toBe(true);

  step("And then a patron's, for a year from that day");
  await shop.changePlan(member, "patron");
  await clock.advance("2 months");
  expect(amounts()).toEqual([19_900, 49_900, 499_000]);
  expect(await shop.membership(member)).toMatchObject({ plan: "patron", paidUntil: "2027-03-01T00:00:00.000Z" });
});
