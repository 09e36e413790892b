import { describe, expect, test } from "vitest";
import { Merchant } from "../merchant.ts";
import { refusedAs } from "../merchant/answers.ts";

const DOWN = "pm_card_processor_unavailable";

test("a processor that is down answers 500 once for an invoice, which does not count as an attempt", async () => {
  const merchant = await Merchant.open();
  const { id } = await merchant.start();
  refusedAs(await merchant.processPayment(id, DOWN), 500, "INTERNAL_ERROR");
  expect(merchant.invoice(id)).toMatchObject({ status: "open", attemptCount: 0 });
  expect((await merchant.processPayment(id, DOWN)).status).toBe(200);
  await merchant.sim.clock.settle();
  expect(merchant.subscriptionStatus(id)).toBe("active");
});

test("it is down once for the invoice, not once for each of its intents", async () => {
  const merchant = await Merchant.open();
  const { id } = await merchant.start();
  refusedAs(await merchant.processPayment(id, DOWN), 500, "INTERNAL_ERROR");
  await merchant.processPayment(id, "pm_card_generic_decline");
  await merchant.sim.clock.settle();
  expect((await merchant.processPayment(id, DOWN)).status).toBe(200);
  await merchant.sim.clock.settle();
  expect(merchant.subscriptionStatus(id)).toBe("active");
});

test("off-session the first attempt fails with processor_unavailable, and the first retry is approved", async () => {
  const merchant = await Merchant.open();
  const { id } = await merchant.subscribe();
  await merchant.changeMethod(id, DOWN);
  await merchant.sim.clock.advance("1 month");
  expect(merchant.subscriptionStatus(id)).toBe("past_due");
  expect(merchant.invoice(id).paymentIntent).toMatchObject({ status: "failed", declineCode: "processor_unavailable" });
  await merchant.sim.clock.advance("24 hours");
  expect(merchant.invoice(id)).toMatchObject({ status: "paid", attemptCount: 2 });
});

test("an invoice for which it was down off-session is paid by hand without another error", async () => {
  const merchant = await Merchant.open();
  const { id } = await merchant.subscribe();
  await merchant.changeMethod(id, DOWN);
  await merchant.sim.clock.advance("1 month");
  expect((await merchant.processPayment(id, DOWN)).status).toBe(200);
  await merchant.sim.clock.settle();
  expect(merchant.subscriptionStatus(id)).toBe("active");
});

describe.each(["pastDue", "unpaid"] as const)("an invoice that has failed before, in %s", (reach) => {
  const ways = {
    "a new payment method": (merchant: Merchant, id: string) => merchant.changeMethod(id, DOWN),
    "a payment by hand": (merchant: Merchant, id: string) => merchant.processPayment(id, DOWN),
  };
  const pending = (merchant: Merchant): number =>
    merchant.sim.transactions.list().filter(({ status }) => status === "pending").length;

  test.each(Object.entries(ways))("is answered 500 once, by %s, and paid at the next try", async (_, pay) => {
    const merchant = await Merchant.open();
    const { id } = await merchant[reach]();
    const { attemptCount, nextAttemptAt } = merchant.invoice(id);
    refusedAs(await pay(merchant, id), 500, "INTERNAL_ERROR");
    expect(merchant.invoice(id)).toMatchObject({ status: "open", attemptCount });
    expect(merchant.invoice(id).nextAttemptAt).toBe(nextAttemptAt);
    expect(pending(merchant)).toBe(1);
    expect((await pay(merchant, id)).status).toBe(200);
    await merchant.sim.clock.settle();
    expect(merchant.invoice(id)).toMatchObject({ status: "paid", attemptCount: attemptCount + 1 });
    expect(merchant.subscriptionStatus(id)).toBe("active");
    expect(pending(merchant)).toBe(0);
  });

  test("leaves nothing pending when it is cancelled after the 500", async () => {
    const merchant = await Merchant.open();
    const { id } = await merchant[reach]();
    refusedAs(await merchant.processPayment(id, DOWN), 500, "INTERNAL_ERROR");
    expect((await merchant.cancelSubscription(id)).status).toBe(200);
    expect(merchant.invoice(id)).toMatchObject({ status: "void", paymentIntent: { status: "canceled" } });
    expect(pending(merchant)).toBe(0);
  });
});

test("an invoice for which it was down when the customer paid is charged by the next retry without another error", async () => {
  const merchant = await Merchant.open();
  const { id } = await merchant.pastDue();
  refusedAs(await merchant.changeMethod(id, DOWN), 500, "INTERNAL_ERROR");
  await merchant.sim.clock.advance("1 day");
  expect(merchant.invoice(id)).toMatchObject({ status: "paid", attemptCount: 2 });
  expect(merchant.subscriptionStatus(id)).toBe("active");
});

test("a processor that a fault takes down answers every call alike, and all tries share one intent", async () => {
  const merchant = await Merchant.open();
  const { id } = await merchant.pastDue();
  merchant.sim.faults.add({ kind: "processor.unavailable", times: 3 });
  const before = merchant.sim.transactions.list().length;
  for (let time = 0; time < 3; time += 1) refusedAs(await merchant.processPayment(id), 500, "INTERNAL_ERROR");
  expect((await merchant.processPayment(id)).status).toBe(200);
  await merchant.sim.clock.settle();
  expect(merchant.subscriptionStatus(id)).toBe("active");
  expect(merchant.sim.transactions.list()).toHaveLength(before + 1);
});
