import { scenario } from "centavo/scenario";
import { openShop } from "./shop.ts";

export default scenario(
  "A card without enough money is declined at once, and another order can be paid",
  async (stage) => {
    const { sim, clock, expect, step } = stage;
    const shop = await openShop(stage);

    step("The customer buys a book with a card that has too little on it");
    const declined = await shop.order("book", "pm_card_insufficient_funds");
    expect(declined.status).toBe("failed");
    expect(sim.intents.last()).toMatchObject({ status: "failed", declineCode: "insufficient_funds" });

    step("The customer buys a pen instead, with another card");
    const order = await shop.order("pen", "pm_card_approved");

    step("The service tells the shop about both");
    await clock.settle();
    expect((await shop.read(declined)).status).toBe("failed");
    expect((await shop.read(order)).status).toBe("paid");
  },
);
