import { scenario } from "centavo/scenario";
import { openShop } from "./shop.ts";

export default scenario("The customer gives up on the hosted page", async (stage) => {
  const { sim, customer, clock, expect, step } = stage;
  const shop = await openShop(stage);

  step("The customer orders a book, and the shop sends them to the hosted page");
  const order = await shop.order("book");
  const page = await shop.checkout(order);

  step("The customer presses Cancel, and the shop sees it as they come back");
  const visit = await customer.cancel(page);
  expect(visit.status).toBe("cancelled");
  expect((await shop.read(order)).status).toBe("cancelled");

  step("The webhook that follows changes nothing more");
  await clock.settle();
  expect(sim.webhooks.events({ type: "checkout.cancelled" })).toHaveLength(1);
  expect((await shop.read(order)).status).toBe("cancelled");
});
