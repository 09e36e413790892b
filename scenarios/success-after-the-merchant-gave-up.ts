import { scenario } from "centavo/scenario";
import { openShop } from "./shop.ts";

export default scenario("The payment succeeds after the shop has given it up", async (stage) => {
  const { sim, clock, expect, step } = stage;
  const shop = await openShop(stage);

  step(
    "The customer pays, and the shop never hears an answer, however often it asks; it tells the customer to try again",
  );
  sim.faults.add({ kind: "response.lost", route: "payment-intent.confirm", times: 3 });
  sim.faults.add({ kind: "processor.late", delay: "2 hours", times: 1 });
  const refused = await shop.order("book", "pm_card_approved");
  expect(refused).toMatchObject({ problem: "The payment could not be made; try again" });
  expect(sim.intents.last()?.status).toBe("processing");

  step("Two hours later the money arrives after all");
  await clock.advance("2 hours");
  expect(sim.intents.last()?.status).toBe("succeeded");

  step("The shop finds the order that the event belongs to, and owes the customer a book");
  const [event] = sim.webhooks.events({ type: "payment_intent.succeeded" });
  expect(event?.status).toBe("delivered");
  expect((await shop.read({ id: "order_0001" })).status).toBe("paid");
});
