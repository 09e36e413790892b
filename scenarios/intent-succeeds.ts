import { scenario } from "centavo/scenario";
import { openShop } from "./shop.ts";

export default scenario("A card pays an order, and the shop learns it by webhook", async (stage) => {
  const { sim, clock, expect, step } = stage;
  const shop = await openShop(stage);

  step("The customer buys a book with a card that needs nothing more");
  const order = await shop.order("book", "pm_card_approved");
  expect(order.status).toBe("pending");
  expect(sim.intents.last()?.status).toBe("processing");

  step("The processor decides, and the service tells the shop");
  await clock.settle();
  expect(sim.intents.last()).toMatchObject({ status: "succeeded", externalId: order.id, amount: 49_900 });
  expect((await shop.read(order)).status).toBe("paid");
});
