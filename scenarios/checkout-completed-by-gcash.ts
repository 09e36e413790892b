import { scenario } from "centavo/scenario";
import { openShop } from "./shop.ts";

export default scenario("The customer pays on the hosted page with GCash", async (stage) => {
  const { sim, customer, clock, merchant, expect, step } = stage;
  const shop = await openShop(stage);

  step("The customer orders a notebook, and the shop sends them to the hosted page");
  const order = await shop.order("notebook");
  const page = await shop.checkout(order);

  step("The customer chooses GCash, which leads to the wallet");
  const wallet = await customer.pay(page, "gcash");
  expect(wallet.status).toBe("processing");
  expect(wallet.redirectedTo).toContain(merchant.baseUrl);

  step("The customer authorises the payment in the wallet and comes back to the shop");
  const visit = await customer.authenticate(wallet.redirectedTo ?? "");
  expect(visit.redirectedTo).toContain(`order=${order.id}`);

  step("The wallet's money arrives, and the service tells the shop");
  await clock.settle();
  expect(sim.checkouts.last()).toMatchObject({ status: "completed", paymentMethod: { type: "gcash" } });
  expect((await shop.read(order)).status).toBe("paid");
});
