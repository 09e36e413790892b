import { scenario } from "centavo/scenario";
import { openShop } from "./shop.ts";

export default scenario("A card pays the first invoice, and the library opens", async (stage) => {
  const { sim, clock, expect, step } = stage;
  const shop = await openShop(stage);

  step("The customer becomes a reader; the money is on its way, and the library is still closed");
  const member = await shop.join("reader", "pm_card_approved");
  expect(member.status).toBe("incomplete");
  expect(sim.subscriptions.last()).toMatchObject({ status: "incomplete", externalId: member.id });
  expect(await shop.opensLibrary(member)).toBe(false);

  step("The processor decides, and the service tells the shop: the invoice is paid, then the subscription is active");
  await clock.settle();
  expect(sim.webhooks.events().map(({ type }) => type)).toEqual([
    "payment_intent.processing",
    "payment_intent.succeeded",
    "subscription.invoice.paid",
    "subscription.activated",
  ]);
  expect(sim.subscriptions.last()).toMatchObject({ status: "active", nextBillingAt: "2026-02-01T00:00:00.000Z" });
  expect(sim.invoices.last()).toMatchObject({ status: "paid", amount: 19_900, attemptCount: 1 });
  expect(await shop.membership(member)).toMatchObject({ status: "active", paidUntil: "2026-02-01T00:00:00.000Z" });
  expect(await shop.opensLibrary(member)).toBe(true);
});
