import { scenario } from "centavo/scenario";
import { openShop } from "./shop.ts";

export default scenario("A member leaves with a reason, and nothing is charged any more", async (stage) => {
  const { sim, clock, expect, step } = stage;
  const shop = await openShop(stage);

  step("The customer becomes a reader and stays for a while");
  const member = await shop.join("reader", "pm_card_approved");
  await clock.advance("40 days");
  expect(sim.invoices.list()).toHaveLength(2);

  step("The reader leaves; the library closes when the service says so, not when the shop asks for it");
  const leaving = await shop.leave(member, "Too many books, too little time");
  expect(leaving.status).toBe("active");
  expect(sim.subscriptions.last()).toMatchObject({
    status: "cancelled",
    cancellationReason: "Too many books, too little time",
    cancelledAt: clock.now(),
  });
  expect(await shop.opensLibrary(member)).toBe(true);
  await clock.settle();
  expect(sim.webhooks.events({ type: "subscription.cancelled" })).toHaveLength(1);
  expect((await shop.membership(member)).status).toBe("cancelled");
  expect(await shop.opensLibrary(member)).toBe(false);

  step("Leaving twice is refused");
  expect((await shop.leave(member, "Really")).problem).toContain("cancelled");

  step("A year later nothing more was charged");
  await clock.advance("1 year");
  expect(sim.invoices.list()).toHaveLength(2);
  expect(clock.pending()).toEqual([]);
  expect(await shop.opensLibrary(member)).toBe(false);
});
