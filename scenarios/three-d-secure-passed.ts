import { scenario } from "centavo/scenario";
import { openShop } from "./shop.ts";

export default scenario("The bank asks the customer to authenticate, and the customer does", async (stage) => {
  const { sim, customer, clock, expect, step } = stage;
  const shop = await openShop(stage);

  step("The customer buys a book, and the bank wants 3-D Secure");
  const order = await shop.order("book", "pm_card_challenge");
  expect(order.status).toBe("requires_action");
  expect(order.redirectUrl).toBeDefined();

  step("The customer passes the challenge and comes back before the bank has decided");
  const visit = await customer.authenticate(order.redirectUrl ?? "");
  expect(visit.status).toBe("processing");
  expect(visit.redirectedTo).toContain(`order=${order.id}`);
  expect((await shop.read(order)).status).toBe("pending");

  step("The bank decides, and the service tells the shop");
  await clock.settle();
  expect(sim.intents.last()?.status).toBe("succeeded");
  expect((await shop.read(order)).status).toBe("paid");
});
