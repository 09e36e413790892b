import { scenario } from "centavo/scenario";
import { openShop } from "./shop.ts";

export default scenario("A membership renews every month for a year", async (stage) => {
  const { sim, clock, expect, step } = stage;
  const shop = await openShop(stage);

  step("The customer becomes a reader on New Year's Day");
  const member = await shop.join("reader", "pm_card_approved");
  await clock.settle();
  expect(await shop.opensLibrary(member)).toBe(true);

  step("A year passes");
  await clock.advance("1 year");
  expect(sim.invoices.list().map(({ periodStart, status }) => `${periodStart.slice(0, 10)} ${status}`)).toEqual([
    "2026-01-01 paid",
    "2026-02-01 paid",
    "2026-03-01 paid",
    "2026-04-01 paid",
    "2026-05-01 paid",
    "2026-06-01 paid",
    "2026-07-01 paid",
    "2026-08-01 paid",
    "2026-09-01 paid",
    "2026-10-01 paid",
    "2026-11-01 paid",
    "2026-12-01 paid",
    "2027-01-01 paid",
  ]);

  step("The service told of each payment, and of the activation once");
  expect(sim.webhooks.events({ type: "subscription.invoice.paid" })).toHaveLength(13);
  expect(sim.webhooks.events({ type: "subscription.activated" })).toHaveLength(1);
  expect(sim.webhooks.events().filter(({ status }) => status !== "delivered")).toEqual([]);
  expect(await shop.membership(member)).toMatchObject({ status: "active", paidUntil: "2027-02-01T00:00:00.000Z" });
  expect(await shop.opensLibrary(member)).toBe(true);

  step("The books: thirteen payments, and every centavo is somewhere");
  const succeeded = sim.transactions.list().filter(({ status }) => status === "succeeded");
  expect(succeeded.reduce((total, { amount }) => total + amount, 0)).toBe(13 * 19_900);
  expect(sim.ledger().balance).toBe(0);
});
