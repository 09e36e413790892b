import { scenario } from "centavo/scenario";
import { openShop } from "./shop.ts";

export default scenario("The shop is down when its payment succeeds, and learns it when it is back", async (stage) => {
  const { sim, clock, expect, step } = stage;
  const shop = await openShop(stage);
  const undelivered = (): number => sim.webhooks.events().filter(({ status }) => status !== "delivered").length;

  step("The customer buys a book, and then the shop's server goes down");
  const order = await shop.order("book", "pm_card_approved");
  shop.goDown();

  step("The payment succeeds, and the service cannot tell the shop, not even after a minute");
  await clock.advance("1 minute");
  expect(sim.intents.last()?.status).toBe("succeeded");
  expect((await shop.read(order)).status).toBe("pending");
  expect(undelivered()).toBe(2);

  step("The shop is back, and the next retries get through, once each");
  shop.comeBack();
  await clock.advance("10 minutes");
  expect(undelivered()).toBe(0);
  expect((await shop.read(order)).status).toBe("paid");
  for (const { id } of sim.webhooks.events()) {
    const attempts = sim.webhooks.attempts({ eventId: id });
    expect(attempts.map(({ delivered }) => delivered)).toEqual([false, false, false, false, false, true]);
  }

  step("An event that is sent once more is a duplicate to the shop");
  const [event] = sim.webhooks.events({ type: "payment_intent.succeeded" });
  sim.webhooks.redeliver(event?.id ?? "");
  await clock.settle();
  expect((await shop.read(order)).status).toBe("paid");
});
