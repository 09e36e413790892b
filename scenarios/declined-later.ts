import { scenario } from "centavo/scenario";
import { openShop } from "./shop.ts";

export default scenario("A card is accepted at first and declined a moment later", async (stage) => {
  const { sim, clock, expect, step } = stage;
  const shop = await openShop(stage);

  step("The customer buys a book with a stolen card, and the shop hears nothing bad yet");
  const order = await shop.order("book", "pm_card_stolen");
  expect(order.status).toBe("pending");
  expect(sim.intents.last()?.status).toBe("processing");

  step("The bank declines, and the service tells the shop");
  await clock.settle();
  expect(sim.intents.last()).toMatchObject({ status: "failed", declineCode: "stolen_card" });
  expect((await shop.read(order)).status).toBe("failed");
});
