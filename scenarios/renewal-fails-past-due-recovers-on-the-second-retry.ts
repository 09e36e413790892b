import { scenario } from "centavo/scenario";
import { openShop } from "./shop.ts";

export default scenario("A renewal fails, and its second retry succeeds; the member notices nothing", async (stage) => {
  const { sim, clock, expect, step } = stage;
  const shop = await openShop(stage);
  const status = (): string | undefined => sim.subscriptions.last()?.status;

  step("The customer becomes a reader with a card that will be empty at the end of the month");
  const member = await shop.join("reader", "pm_card_recovers");
  await clock.settle();
  expect((await shop.membership(member)).status).toBe("active");

  step("The renewal fails: the subscription is past due, and the library stays open");
  await clock.advanceTo("2026-02-01T00:00:00Z");
  expect(status()).toBe("past_due");
  expect(sim.invoices.last()).toMatchObject({ attemptCount: 1, nextAttemptAt: "2026-02-02T00:00:00.000Z" });
  expect((await shop.membership(member)).status).toBe("past_due");
  expect(await shop.opensLibrary(member)).toBe(true);

  step("The first retry, a day later, fails too, and nothing new is announced");
  await clock.advance("1 day");
  expect(status()).toBe("past_due");
  expect(sim.invoices.last()).toMatchObject({ attemptCount: 2, nextAttemptAt: "2026-02-03T00:00:00.000Z" });
  expect(sim.webhooks.events({ type: "subscription.past_due" })).toHaveLength(1);

  step("The second retry succeeds");
  await clock.advance("1 day");
  expect(status()).toBe("active");
  expect(sim.invoices.last()).toMatchObject({ status: "paid", attemptCount: 3 });
  expect(sim.webhooks.events({ type: "subscription.activated" })).toHaveLength(2);

  step("The period is the one that began when the renewal was due");
  const renewed = { status: "active", paidUntil: "2026-03-01T00:00:00.000Z" };
  expect(await shop.membership(member)).toMatchObject(renewed);
  expect(await shop.opensLibrary(member)).toBe(true);
});
