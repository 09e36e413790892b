import { scenario } from "centavo/scenario";
import { openShop } from "./shop.ts";

export default scenario("Every retry fails and the library closes, until a new card pays", async (stage) => {
  const { sim, clock, expect, step } = stage;
  const shop = await openShop(stage);
  const status = (): string | undefined => sim.subscriptions.last()?.status;

  step("The customer becomes a scholar with a card that declines renewals");
  const member = await shop.join("scholar", "pm_card_declines_renewals");
  await clock.settle();
  expect(await shop.opensLibrary(member)).toBe(true);

  step("The renewal fails, and so do two retries: there is grace until the third");
  await clock.advanceTo("2026-02-03T23:59:59Z");
  expect(status()).toBe("past_due");
  expect(sim.invoices.last()).toMatchObject({ status: "open", attemptCount: 3 });
  expect(await shop.opensLibrary(member)).toBe(true);

  step("The third retry fails as well: the subscription is unpaid, and the library closes");
  await clock.advance("1 second");
  expect(status()).toBe("unpaid");
  expect(sim.invoices.last()?.attemptCount).toBe(4);
  expect(sim.invoices.last()?.nextAttemptAt).toBeUndefined();
  expect((await shop.membership(member)).status).toBe("unpaid");
  expect(await shop.opensLibrary(member)).toBe(false);

  step("A card without money does not help");
  const refused = await shop.newCard(member, "pm_card_insufficient_funds");
  expect(refused.problem).toBeDefined();
  await clock.settle();
  expect(status()).toBe("unpaid");
  expect(await shop.opensLibrary(member)).toBe(false);

  step("Ten days later another card pays what is owed, and the library opens when the service says so");
  await clock.advance("10 days");
  await shop.newCard(member, "pm_card_approved");
  expect(await shop.opensLibrary(member)).toBe(false);
  await clock.settle();
  expect(status()).toBe("active");
  expect(sim.invoices.last()).toMatchObject({ status: "paid", attemptCount: 6 });
  expect(await shop.opensLibrary(member)).toBe(true);

  step("The next renewal comes on its old day, and the new card pays it");
  await clock.advanceTo("2026-03-01T00:00:00Z");
  expect(sim.invoices.last()).toMatchObject({ status: "paid", periodStart: "2026-03-01T00:00:00.000Z" });
  expect(await shop.membership(member)).toMatchObject({ status: "active", paidUntil: "2026-04-01T00:00:00.000Z" });
});
