import { scenario } from "centavo/scenario";
import { openShop } from "./shop.ts";

export default scenario(
  "The webhook says paid while the shop still waits for the answer to its call",
  async (stage) => {
    const { sim, clock, expect, step } = stage;
    const shop = await openShop(stage);

    step("The customer pays; the service has done its work, but its answer is on the way for five seconds");
    const late = sim.faults.add({ kind: "response.late", route: "payment-intent.confirm", delay: "5 s" });
    const ordering = shop.order("book", "pm_card_approved");
    await late.struck();

    step("Meanwhile the payment succeeds, and the events reach the shop first");
    await clock.settle();
    const [paid] = sim.webhooks.events({ type: "payment_intent.succeeded" });
    expect(paid?.status).toBe("delivered");

    step("The old answer arrives, says processing, and must not take the payment back");
    await clock.advance("5 s");
    const order = await ordering;
    expect(order.status).toBe("paid");
    expect((await shop.read(order)).status).toBe("paid");
  },
);
