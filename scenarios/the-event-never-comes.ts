import { scenario } from "centavo/scenario";
import { openShop } from "./shop.ts";

export default scenario("The event that says paid never comes: the shop learns it by asking", async (stage) => {
  const { sim, customer, clock, expect, step } = stage;
  const shop = await openShop(stage);

  step("The customer pays with 3-D Secure, and the service loses the event of the success");
  sim.faults.add({ kind: "webhook.drop", event: "payment_intent.succeeded" });
  const order = await shop.order("book", "pm_card_challenge");
  await customer.authenticate(order.redirectUrl ?? "");
  await clock.settle();
  expect(sim.intents.last()?.status).toBe("succeeded");
  expect((await shop.read(order)).status).not.toBe("paid");

  step("The customer opens the bank's page again and is led back: the shop asks the service, and believes that alone");
  await customer.authenticate(order.redirectUrl ?? "");
  expect((await shop.read(order)).status).toBe("paid");
});
