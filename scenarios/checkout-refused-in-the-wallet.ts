import { scenario } from "centavo/scenario";
import { openShop } from "./shop.ts";

export default scenario("The customer refuses the payment in GrabPay, and orders again with a card", async (stage) => {
  const { sim, customer, clock, expect, step } = stage;
  const shop = await openShop(stage);

  step("The customer orders a book, chooses GrabPay on the hosted page, and refuses in the wallet");
  const refused = await shop.order("book");
  const wallet = await customer.pay(await shop.checkout(refused), "grab_pay");
  await customer.failAuthentication(wallet.redirectedTo ?? "");

  step("The session fails, for good");
  await clock.settle();
  expect(sim.checkouts.last()?.status).toBe("failed");
  expect((await shop.read(refused)).status).toBe("failed");

  step("The customer orders the book again and pays by card");
  const order = await shop.order("book");
  await customer.pay(await shop.checkout(order), "pm_card_approved");
  await clock.settle();
  expect((await shop.read(order)).status).toBe("paid");
  expect((await shop.read(refused)).status).toBe("failed");
});
