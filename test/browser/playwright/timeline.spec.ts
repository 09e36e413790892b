import { expect } from "centavo/playwright";
import { test } from "./shop.js";

test("a timeline equals its snapshot", async ({ sim, shop, checkoutPage }) => {
  await checkoutPage.pay(await shop.checkOut("order-1"), "pm_card_approved");
  await sim.clock.settle();
  await expect(sim).toMatchTimeline();
});
