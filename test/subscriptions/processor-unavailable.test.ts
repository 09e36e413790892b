import { expect, test } from "vitest";
import { openShop, refusedAs } from "./merchant.ts";

const DOWN = "pm_card_processor_unavailable";

test("a processor that is down answers 500 once for an invoice, which is no attempt", async () => {
  const shop = await openShop();
  const { id } = await shop.start();
  refusedAs(await shop.processPayment(id, DOWN), 500, "INTERNAL_ERROR");
  expect(shop.invoice(id)).toMatchObject({ status: "open", attemptCount: 0 });
  expect((await shop.processPayment(id, DOWN)).status).toBe(200);
  await shop.sim.clock.settle();
  expect(shop.status(id)).toBe("active");
});

test("it is down once for the invoice, not once for each of its intents", async () => {
  const shop = await openShop();
  const { id } = await shop.start();
  refusedAs(await shop.processPayment(id, DOWN), 500, "INTERNAL_ERROR");
  await shop.processPayment(id, "pm_card_generic_decline");
  await shop.sim.clock.settle();
  expect((await shop.processPayment(id, DOWN)).status).toBe(200);
  await shop.sim.clock.settle();
  expect(shop.status(id)).toBe("active");
});

test("off-session the first attempt fails with processor_unavailable, and the first retry is approved", async () => {
  const shop = await openShop();
  const { id } = await shop.subscribe();
  await shop.changeMethod(id, DOWN);
  await shop.sim.clock.advance("1 month");
  expect(shop.status(id)).toBe("past_due");
  expect(shop.invoice(id).paymentIntent).toMatchObject({ status: "failed", declineCode: "processor_unavailable" });
  await shop.sim.clock.advance("24 hours");
  expect(shop.invoice(id)).toMatchObject({ status: "paid", attemptCount: 2 });
});

test("an invoice for which it was down off-session is paid by hand without another error", async () => {
  const shop = await openShop();
  const { id } = await shop.subscribe();
  await shop.changeMethod(id, DOWN);
  await shop.sim.clock.advance("1 month");
  expect((await shop.processPayment(id, DOWN)).status).toBe(200);
  await shop.sim.clock.settle();
  expect(shop.status(id)).toBe("active");
});
