import { scenario } from "centavo/scenario";
import { openShop } from "./shop.ts";

export default scenario("Events come twice, and the shop has restarted in between", async (stage) => {
  const { sim, clock, expect, step } = stage;
  const shop = await openShop(stage);

  step("The customer pays; the shop hears that it is paid, but its answer is lost on the way back");
  const lost = sim.faults.add({ kind: "webhook.answer-lost", event: "payment_intent.succeeded", times: 1 });
  const order = await shop.order("book", "pm_card_approved");
  await clock.settle();
  expect(lost.hits).toBe(1);
  expect([(await shop.read(order)).status, shop.parcels(order)]).toEqual(["paid", 1]);

  step("The shop is deployed anew, which forgets the ids of the events that it has seen");
  shop.restart();

  step("The service tells it again, because it never heard an answer: nothing is sent twice");
  await clock.advance("2 seconds");
  const [event] = sim.webhooks.events({ type: "payment_intent.succeeded" });
  expect(sim.webhooks.attempts({ eventId: event?.id ?? "" }).map(({ delivered }) => delivered)).toEqual([false, true]);
  expect([(await shop.read(order)).status, shop.parcels(order)]).toEqual(["paid", 1]);

  step("A later order's event is doubled by the service itself, across another restart");
  sim.faults.add({ kind: "webhook.duplicate", event: "payment_intent.succeeded", delay: "1 minute", times: 1 });
  const second = await shop.order("pen", "pm_card_approved");
  await clock.settle();
  shop.restart();
  await clock.advance("1 minute");
  expect([(await shop.read(second)).status, shop.parcels(second)]).toEqual(["paid", 1]);
});
