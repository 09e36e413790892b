import { scenario } from "centavo/scenario";
import { openShop } from "./shop.ts";

export default scenario(
  "The customer closes the browser at the bank's page, and an hour later the payment fails",
  async (stage) => {
    const { sim, customer, clock, expect, step } = stage;
    const shop = await openShop(stage);

    step("The customer buys a book, and the bank wants 3-D Secure");
    const order = await shop.order("book", "pm_card_challenge");

    step("The customer closes the browser");
    const { status } = await customer.abandon(order.redirectUrl ?? "");
    expect(status).toBe("requires_action");

    step("Nothing is lost for almost an hour");
    await clock.advance("59 minutes");
    expect((await shop.read(order)).status).toBe("requires_action");

    step("Then the bank's patience ends");
    await clock.advance("1 minute");
    expect(sim.intents.last()).toMatchObject({ status: "failed", declineCode: "authentication_expired" });
    expect((await shop.read(order)).status).toBe("failed");
  },
);
