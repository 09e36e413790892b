import { scenario } from "centavo/scenario";
import { openShop } from "./shop.ts";

export default scenario("The bank wants to see the customer once, and renewals go without", async (stage) => {
  const { sim, customer, clock, merchant, expect, step } = stage;
  const shop = await openShop(stage);

  step("The customer becomes a reader, and the bank wants 3-D Secure");
  const first = await shop.join("reader", "pm_card_challenge");
  expect(first.redirectUrl).toContain(merchant.baseUrl);
  expect(await shop.opensLibrary(first)).toBe(false);

  step("The customer fails the challenge: nothing is lost yet");
  await customer.failAuthentication(first.redirectUrl ?? "");
  await clock.settle();
  expect(sim.subscriptions.last()).toMatchObject({ status: "incomplete", latestInvoice: { attemptCount: 1 } });
  expect(await shop.opensLibrary(first)).toBe(false);

  step("An hour later the customer tries again, passes, and comes back before the bank has decided");
  await clock.advance("1 hour");
  const second = await shop.newCard(first, "pm_card_challenge");
  const visit = await customer.authenticate(second.redirectUrl ?? "");
  expect(visit.redirectedTo).toContain(`/members/${first.id}`);
  expect(await shop.opensLibrary(first)).toBe(false);

  step("The bank decides, and the membership begins at that moment");
  await clock.settle();
  expect(sim.subscriptions.last()).toMatchObject({
    status: "active",
    currentPeriodStart: "2026-01-01T01:00:00.000Z",
    latestInvoice: { status: "paid", attemptCount: 2 },
  });
  expect(await shop.opensLibrary(first)).toBe(true);

  step("A month later the card renews without the customer");
  await clock.advance("1 month");
  expect(sim.invoices.last()).toMatchObject({ status: "paid", periodStart: "2026-02-01T01:00:00.000Z" });
  expect(sim.webhooks.events({ type: "payment_intent.requires_action" })).toHaveLength(2);
  expect(await shop.opensLibrary(first)).toBe(true);
});
