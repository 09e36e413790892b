import { describe, expect, test } from "vitest";
import { Merchant } from "../merchant.ts";
import { refusedAs } from "../merchant/answers.ts";

const DOWN = "pm_card_processor_unavailable";

test("a processor that is down answers 500 once for an invoice, which is no attempt", async () => {
  const shop = await Merchant.open();
  const { id } = await shop.start();
  refusedAs(await shop.processPayment(id, DOWN), 500, "INTERNAL_ERROR");
  expect(shop.invoice(id)).toMatchObject({ status: "open", attemptCount: 0 });
  expect((await shop.processPayment(id, DOWN)).status).toBe(200);
  await shop.sim.clock.settle();
  expect(shop.subscriptionStatus(id)).toBe("active");
});

test("it is down once for the invoice, not once for each of its intents", async () => {
  const shop = await Merchant.open();
  const { id } = await shop.start();
  refusedAs(await shop.processPayment(id, DOWN), 500, "INTERNAL_ERROR");
  await shop.processPayment(id, "pm_card_generic_decline");
  await shop.sim.clock.settle();
  expect((await shop.processPayment(id, DOWN)).status).toBe(200);
  await shop.sim.clock.settle();
  expect(shop.subscriptionStatus(id)).toBe("active");
});

test("off-session the first attempt fails with processor_unavailable, and the first retry is approved", async () => {
  const shop = await Merchant.open();
  const { id } = await shop.subscribe();
  await shop.changeMethod(id, DOWN);
  await shop.sim.clock.advance("1 month");
  expect(shop.subscriptionStatus(id)).toBe("past_due");
  expect(shop.invoice(id).paymentIntent).toMatchObject({ status: "failed", declineCode: "processor_unavailable" });
  await shop.sim.clock.advance("24 hours");
  expect(shop.invoice(id)).toMatchObject({ status: "paid", attemptCount: 2 });
});

test("an invoice for which it was down off-session is paid by hand without another error", async () => {
  const shop = await Merchant.open();
  const { id } = await shop.subscribe();
  await shop.changeMethod(id, DOWN);
  await shop.sim.clock.advance("1 month");
  expect((await shop.processPayment(id, DOWN)).status).toBe(200);
  await shop.sim.clock.settle();
  expect(shop.subscriptionStatus(id)).toBe("active");
});

describe.each(["pastDue", "unpaid"] as const)("an invoice that has failed before, in %s", (reach) => {
  const ways = {
    "a new payment method": (shop: Merchant, id: string) => shop.changeMethod(id, DOWN),
    "a payment by hand": (shop: Merchant, id: string) => shop.processPayment(id, DOWN),
  };
  const pending = (shop: Merchant): number =>
    shop.sim.transactions.list().filter(({ status }) => status === "pending").length;

  test.each(Object.entries(ways))("is answered 500 once, by %s, and paid at the next try", async (_, pay) => {
    const shop = await Merchant.open();
    const { id } = await shop[reach]();
    const { attemptCount, nextAttemptAt } = shop.invoice(id);
    refusedAs(await pay(shop, id), 500, "INTERNAL_ERROR");
    expect(shop.invoice(id)).toMatchObject({ status: "open", attemptCount });
    expect(shop.invoice(id).nextAttemptAt).toBe(nextAttemptAt);
    expect(pending(shop)).toBe(1);
    expect((await pay(shop, id)).status).toBe(200);
    await shop.sim.clock.settle();
    expect(shop.invoice(id)).toMatchObject({ status: "paid", attemptCount: attemptCount + 1 });
    expect(shop.subscriptionStatus(id)).toBe("active");
    expect(pending(shop)).toBe(0);
  });

  test("leaves nothing pending where it is cancelled after the 500", async () => {
    const shop = await Merchant.open();
    const { id } = await shop[reach]();
    refusedAs(await shop.processPayment(id, DOWN), 500, "INTERNAL_ERROR");
    expect((await shop.cancelSubscription(id)).status).toBe(200);
    expect(shop.invoice(id)).toMatchObject({ status: "void", paymentIntent: { status: "canceled" } });
    expect(pending(shop)).toBe(0);
  });
});

test("an invoice for which it was down when the customer paid is charged by the next retry without another error", async () => {
  const shop = await Merchant.open();
  const { id } = await shop.pastDue();
  refusedAs(await shop.changeMethod(id, DOWN), 500, "INTERNAL_ERROR");
  await shop.sim.clock.advance("1 day");
  expect(shop.invoice(id)).toMatchObject({ status: "paid", attemptCount: 2 });
  expect(shop.subscriptionStatus(id)).toBe("active");
});

test("a processor that a fault takes down answers every call alike, and all tries share one intent", async () => {
  const shop = await Merchant.open();
  const { id } = await shop.pastDue();
  shop.sim.faults.add({ kind: "processor.unavailable", times: 3 });
  const before = shop.sim.transactions.list().length;
  for (let time = 0; time < 3; time += 1) refusedAs(await shop.processPayment(id), 500, "INTERNAL_ERROR");
  expect((await shop.processPayment(id)).status).toBe(200);
  await shop.sim.clock.settle();
  expect(shop.subscriptionStatus(id)).toBe("active");
  expect(shop.sim.transactions.list()).toHaveLength(before + 1);
});
