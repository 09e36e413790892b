import { scenario } from "centavo/scenario";
import { openShop } from "./shop.ts";

export default scenario("The customer never opens the hosted page, and the session expires", async (stage) => {
  const { sim, customer, clock, expect, step } = stage;
  const shop = await openShop(stage);

  step("The customer orders a book, and the shop opens a session");
  const order = await shop.order("book");
  const page = await shop.checkout(order);

  step("A day passes");
  await clock.advance("1 day");
  expect(sim.checkouts.last()?.status).toBe("expired");
  expect((await shop.read(order)).status).toBe("expired");

  step("The customer remembers, and it is too late");
  const visit = await customer.pay(page, "pm_card_approved");
  expect(visit.status).toBe("expired");
  await clock.settle();
  expect((await shop.read(order)).status).toBe("expired");
});
