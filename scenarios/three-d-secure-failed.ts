import { scenario } from "centavo/scenario";
import { openShop } from "./shop.ts";

export default scenario("The bank asks the customer to authenticate, and the customer fails", async (stage) => {
  const { sim, customer, clock, expect, step } = stage;
  const shop = await openShop(stage);

  step("The customer buys a notebook, and the bank wants 3-D Secure");
  const order = await shop.order("notebook", "pm_card_challenge");
  expect(order.status).toBe("requires_action");

  step("The customer fails the challenge and comes back");
  await customer.failAuthentication(order.redirectUrl ?? "");

  step("The service tells the shop that the payment failed");
  await clock.settle();
  expect(sim.intents.last()).toMatchObject({ status: "failed", declineCode: "authentication_failed" });
  expect((await shop.read(order)).status).toBe("failed");
});
