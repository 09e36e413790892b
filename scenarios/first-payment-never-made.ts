import { scenario } from "centavo/scenario";
import { openShop } from "./shop.ts";

export default scenario("The first payment is never made, and a day later the subscription is over", async (stage) => {
  const { sim, clock, expect, step } = stage;
  const shop = await openShop(stage);

  step("The customer asks to be a reader, and leaves before paying");
  const member = await shop.join("reader");
  expect(sim.subscriptions.last()).toMatchObject({ status: "incomplete", latestInvoice: { status: "open" } });
  expect(await shop.opensLibrary(member)).toBe(false);

  step("In the evening a card has no money on it; there is still time");
  await clock.advance("20 hours");
  expect((await shop.newCard(member, "pm_card_insufficient_funds")).problem).toBeDefined();
  await clock.advanceTo("2026-01-01T23:59:59.999Z");
  expect(sim.subscriptions.last()?.status).toBe("incomplete");
  expect((await shop.membership(member)).status).toBe("incomplete");

  step("After 24 hours the service gives up");
  await clock.advance("1 millisecond");
  expect(sim.subscriptions.last()?.status).toBe("incomplete_cancelled");
  expect(sim.invoices.last()?.status).toBe("void");
  expect((await shop.membership(member)).status).toBe("cancelled");

  step("A good card comes too late");
  const late = await shop.newCard(member, "pm_card_approved");
  expect(late.problem).toContain("incomplete_cancelled");
  await clock.advance("1 month");
  expect(await shop.opensLibrary(member)).toBe(false);
  expect(sim.transactions.list().filter(({ status }) => status === "succeeded")).toEqual([]);
});
