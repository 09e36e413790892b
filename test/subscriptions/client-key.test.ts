import { describe, expect, test } from "vitest";
import { Merchant } from "../merchant.ts";
import { ok, refusedAs } from "../merchant/answers.ts";

describe("an invoice's intent that is confirmed with its client key", () => {
  test("pays the first invoice, and its method is charged at renewals", async () => {
    const merchant = await Merchant.open();
    const { id, latestInvoice } = await merchant.start();
    expect((await merchant.confirmByKey(latestInvoice.paymentIntent, "pm_card_approved")).status).toBe(200);
    expect(merchant.invoice(id)).toMatchObject({ status: "open", attemptCount: 1 });
    await merchant.sim.clock.settle();
    expect(await merchant.readSubscription(id)).toMatchObject({
      status: "active",
      paymentMethod: { id: "pm_card_approved", type: "card" },
      latestInvoice: { status: "paid", attemptCount: 1 },
    });
    await merchant.sim.clock.advance("1 month");
    expect(merchant.invoices(id).map(({ status }) => status)).toEqual(["paid", "paid"]);
  });

  test("replaces an earlier method for renewals, and is replaced by a later one", async () => {
    const merchant = await Merchant.open();
    const { id, latestInvoice } = await merchant.start();
    ok(await merchant.changeMethod(id, "pm_card_declines_renewals"));
    await merchant.confirmByKey(latestInvoice.paymentIntent, "pm_card_approved");
    expect((await merchant.readSubscription(id)).paymentMethod?.id).toBe("pm_card_approved");
    ok(await merchant.changeMethod(id, "pm_card_recovers"));
    await merchant.sim.clock.settle();
    expect(await merchant.readSubscription(id)).toMatchObject({
      status: "active",
      paymentMethod: { id: "pm_card_recovers" },
    });
  });

  test("does not get around the refusal of wallets", async () => {
    const merchant = await Merchant.open();
    const { id, latestInvoice } = await merchant.start();
    refusedAs(await merchant.confirmByKey(latestInvoice.paymentIntent, "pm_gcash"), 400, "PAYMENT_METHOD_INVALID");
    expect(merchant.invoice(id)).toMatchObject({ attemptCount: 0 });
  });

  test("takes a wallet if subscriptions do", async () => {
    const merchant = await Merchant.open({ assumptions: { "subscription.wallets": "allow" } });
    const { id, latestInvoice } = await merchant.start();
    const { body } = await merchant.confirmByKey(latestInvoice.paymentIntent, "pm_gcash");
    await merchant.sim.customer.authenticate(body.data.redirectUrl ?? "");
    await merchant.sim.clock.settle();
    expect(merchant.subscriptionStatus(id)).toBe("active");
  });

  test("blocks every other attempt of that invoice until it ends", async () => {
    const merchant = await Merchant.open();
    const { id, latestInvoice } = await merchant.start();
    await merchant.confirmByKey(latestInvoice.paymentIntent, "pm_card_approved");
    expect(refusedAs(await merchant.processPayment(id), 409, "INVALID_STATE")).toContain("incomplete");
  });

  test("pays a failed renewal as long as the intent is new, and the subscription recovers", async () => {
    const merchant = await Merchant.open();
    const { id } = await merchant.unpaid("pm_card_declines_renewals", { interval: "week" });
    await merchant.sim.clock.advance("1 week");
    const [, failed, waiting] = merchant.invoices(id);
    expect(waiting).toMatchObject({ status: "open", attemptCount: 0 });
    refusedAs(
      await merchant.confirmByKey(failed?.paymentIntent as never, "pm_card_approved"),
      409,
      "INTENT_ALREADY_CONFIRMED",
    );
    await merchant.confirmByKey(waiting?.paymentIntent as never, "pm_card_approved");
    await merchant.sim.clock.settle();
    expect(merchant.invoices(id).map(({ status }) => status)).toEqual(["paid", "open", "paid"]);
    expect(merchant.subscriptionStatus(id)).toBe("unpaid");
  });

  test("leaves an older invoice to its own schedule when it pays a newer one", async () => {
    const merchant = await Merchant.open({ assumptions: { "intent.processing-time": "0 seconds" } });
    const { id } = await merchant.pastDue("pm_card_declines_renewals", { interval: "day" });
    await merchant.sim.clock.advance("1 day");
    const newest = merchant.invoice(id);
    expect(newest).toMatchObject({ status: "open", attemptCount: 0 });
    expect(merchant.invoice(id, 1)).toMatchObject({ attemptCount: 2 });
    await merchant.confirmByKey(newest.paymentIntent, "pm_card_approved");
    await merchant.sim.clock.advance("1 hour");
    expect(merchant.invoice(id, 1)).toMatchObject({ status: "open", attemptCount: 2 });
    expect(merchant.invoice(id, 2)).toMatchObject({ status: "paid" });
    expect(merchant.subscriptionStatus(id)).toBe("past_due");
  });

  test("starts that invoice's own retries when it fails", async () => {
    const merchant = await Merchant.open();
    const { id } = await merchant.unpaid("pm_card_declines_renewals", { interval: "week" });
    await merchant.sim.clock.advance("1 week");
    const at = merchant.sim.clock.now();
    await merchant.confirmByKey(merchant.invoice(id).paymentIntent, "pm_card_generic_decline");
    await merchant.sim.clock.settle();
    expect(Date.parse(merchant.invoice(id).nextAttemptAt ?? "") - Date.parse(at)).toBe(86_400_000);
    expect(merchant.subscriptionEvents.filter((type) => type === "subscription.past_due")).toHaveLength(1);
  });
});

test("an open invoice whose intent was canceled by the back office gets another one with its next attempt", async () => {
  const merchant = await Merchant.open();
  const { id, latestInvoice } = await merchant.start();
  merchant.sim.intents.cancel(latestInvoice.paymentIntent.id);
  expect(await merchant.readSubscription(id)).toMatchObject({
    status: "incomplete",
    latestInvoice: { status: "open" },
  });
  expect((await merchant.processPayment(id)).status).toBe(200);
  await merchant.sim.clock.settle();
  expect(merchant.invoice(id)).toMatchObject({ status: "paid", attemptCount: 1 });
  expect(merchant.invoice(id).paymentIntent.id).not.toBe(latestInvoice.paymentIntent.id);
});

test("an invoice that fell due during a challenge is charged at once when the challenge is canceled", async () => {
  const merchant = await Merchant.open();
  const { id } = await merchant.unpaid("pm_card_declines_renewals", { interval: "week" });
  await merchant.sim.clock.advance("1 week");
  const waiting = merchant.invoice(id).paymentIntent;
  await merchant.confirmByKey(waiting, "pm_card_challenge");
  await merchant.processPayment(id, "pm_card_approved");
  await merchant.sim.clock.settle();
  expect(merchant.invoices(id).map(({ status, attemptCount }) => `${status} ${attemptCount}`)).toEqual([
    "paid 1",
    "paid 5",
    "open 1",
  ]);
  merchant.sim.intents.cancel(waiting.id);
  await merchant.sim.clock.settle();
  expect(merchant.invoice(id)).toMatchObject({ status: "paid", attemptCount: 2 });
  expect(merchant.subscriptionStatus(id)).toBe("active");
});

test("a challenge of the first payment that the back office cancels leaves it to the customer to try again", async () => {
  const merchant = await Merchant.open();
  const { id } = await merchant.start();
  ok(await merchant.processPayment(id, "pm_card_challenge"));
  merchant.sim.intents.cancel(merchant.invoice(id).paymentIntent.id);
  await merchant.sim.clock.settle();
  expect(await merchant.readSubscription(id)).toMatchObject({
    status: "incomplete",
    latestInvoice: { status: "open", attemptCount: 1 },
  });
  expect((await merchant.processPayment(id)).status).toBe(200);
});

test("a challenge that the back office cancels ends the attempt, and a retry that fell due meanwhile runs at once", async () => {
  const merchant = await Merchant.open();
  const { id } = await merchant.pastDue();
  await merchant.sim.clock.advance("23 hours 30 minutes");
  await merchant.changeMethod(id, "pm_card_challenge");
  const challenged = merchant.invoice(id);
  expect(challenged).toMatchObject({ attemptCount: 2, paymentIntent: { status: "requires_action" } });
  await merchant.sim.clock.advance("45 minutes");
  expect(merchant.invoice(id)).toMatchObject({ attemptCount: 2, paymentIntent: { status: "requires_action" } });
  merchant.sim.intents.cancel(challenged.paymentIntent.id);
  await merchant.sim.clock.settle();
  expect(merchant.invoice(id)).toMatchObject({ status: "paid", attemptCount: 3 });
  expect(merchant.subscriptionStatus(id)).toBe("active");
});
