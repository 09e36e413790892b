import { scenario } from "centavo/scenario";
import { openShop } from "./shop.ts";

export default scenario("The customer pays on the hosted page with a card", async (stage) => {
  const { sim, customer, clock, expect, step } = stage;
  const shop = await openShop(stage);

  step("The customer orders a book, and the shop sends them to the hosted page");
  const order = await shop.order("book");
  const page = await shop.checkout(order);
  expect(sim.checkouts.last()).toMatchObject({ status: "pending", externalId: order.id, amount: 49_900 });

  step("The customer types a card number and comes back");
  const visit = await customer.pay(page, {
    cardNumber: "4343434343434345",
    expMonth: "12",
    expYear: "2030",
    cvc: "123",
  });
  expect(visit).toMatchObject({ status: "processing" });
  expect(visit.redirectedTo).toContain(`order=${order.id}`);
  expect((await shop.read(order)).status).toBe("pending");

  step("The processor decides, and the service tells the shop");
  await clock.settle();
  expect(sim.checkouts.last()?.status).toBe("completed");
  expect((await shop.read(order)).status).toBe("paid");
});
