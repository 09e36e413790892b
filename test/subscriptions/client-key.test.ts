import { describe, expect, test } from "vitest";
import { Merchant } from "../merchant.ts";
import { ok, refusedAs } from "../merchant/answers.ts";

describe("an invoice's intent that is confirmed with its client key", () => {
  test("pays the first invoice, and its method is charged at renewals", async () => {
    const shop = await Merchant.open();
    const { id, latestInvoice } = await shop.start();
    expect((await shop.confirmByKey(latestInvoice.paymentIntent, "pm_card_approved")).status).toBe(200);
    expect(shop.invoice(id)).toMatchObject({ status: "open", attemptCount: 1 });
    await shop.sim.clock.settle();
    expect(await shop.readSubscription(id)).toMatchObject({
      status: "active",
      paymentMethod: { id: "pm_card_approved", type: "card" },
      latestInvoice: { status: "paid", attemptCount: 1 },
    });
    await shop.sim.clock.advance("1 month");
    expect(shop.invoices(id).map(({ status }) => status)).toEqual(["paid", "paid"]);
  });

  test("takes the place of a method that was named before it, and gives way to one that is named after", async () => {
    const shop = await Merchant.open();
    const { id, latestInvoice } = await shop.start();
    ok(await shop.changeMethod(id, "pm_card_declines_renewals"));
    await shop.confirmByKey(latestInvoice.paymentIntent, "pm_card_approved");
    expect((await shop.readSubscription(id)).paymentMethod?.id).toBe("pm_card_approved");
    ok(await shop.changeMethod(id, "pm_card_recovers"));
    await shop.sim.clock.settle();
    expect(await shop.readSubscription(id)).toMatchObject({
      status: "active",
      paymentMethod: { id: "pm_card_recovers" },
    });
  });

  test("is no way around the refusal of wallets", async () => {
    const shop = await Merchant.open();
    const { id, latestInvoice } = await shop.start();
    refusedAs(await shop.confirmByKey(latestInvoice.paymentIntent, "pm_gcash"), 400, "PAYMENT_METHOD_INVALID");
    expect(shop.invoice(id)).toMatchObject({ attemptCount: 0 });
  });

  test("takes a wallet where subscriptions do", async () => {
    const shop = await Merchant.open({ assumptions: { "subscription.wallets": "allow" } });
    const { id, latestInvoice } = await shop.start();
    const { body } = await shop.confirmByKey(latestInvoice.paymentIntent, "pm_gcash");
    await shop.sim.customer.authenticate(body.data.redirectUrl ?? "");
    await shop.sim.clock.settle();
    expect(shop.subscriptionStatus(id)).toBe("active");
  });

  test("keeps every other attempt of that invoice out until it ends", async () => {
    const shop = await Merchant.open();
    const { id, latestInvoice } = await shop.start();
    await shop.confirmByKey(latestInvoice.paymentIntent, "pm_card_approved");
    expect(refusedAs(await shop.processPayment(id), 409, "INVALID_STATE")).toContain("incomplete");
  });

  test("pays a failed renewal as long as the intent is new, and the subscription recovers", async () => {
    const shop = await Merchant.open();
    const { id } = await shop.unpaid("pm_card_declines_renewals", { interval: "week" });
    await shop.sim.clock.advance("1 week");
    const [, failed, waiting] = shop.invoices(id);
    expect(waiting).toMatchObject({ status: "open", attemptCount: 0 });
    refusedAs(
      await shop.confirmByKey(failed?.paymentIntent as never, "pm_card_approved"),
      409,
      "INTENT_ALREADY_CONFIRMED",
    );
    await shop.confirmByKey(waiting?.paymentIntent as never, "pm_card_approved");
    await shop.sim.clock.settle();
    expect(shop.invoices(id).map(({ status }) => status)).toEqual(["paid", "open", "paid"]);
    expect(shop.subscriptionStatus(id)).toBe("unpaid");
  });

  test("leaves an older invoice to its own schedule when it pays a newer one", async () => {
    const shop = await Merchant.open({ assumptions: { "intent.processing-time": "0 seconds" } });
    const { id } = await shop.pastDue("pm_card_declines_renewals", { interval: "day" });
    await shop.sim.clock.advance("1 day");
    const newest = shop.invoice(id);
    expect(newest).toMatchObject({ status: "open", attemptCount: 0 });
    expect(shop.invoice(id, 1)).toMatchObject({ attemptCount: 2 });
    await shop.confirmByKey(newest.paymentIntent, "pm_card_approved");
    await shop.sim.clock.advance("1 hour");
    expect(shop.invoice(id, 1)).toMatchObject({ status: "open", attemptCount: 2 });
    expect(shop.invoice(id, 2)).toMatchObject({ status: "paid" });
    expect(shop.subscriptionStatus(id)).toBe("past_due");
  });

  test("starts that invoice's own retries when it fails", async () => {
    const shop = await Merchant.open();
    const { id } = await shop.unpaid("pm_card_declines_renewals", { interval: "week" });
    await shop.sim.clock.advance("1 week");
    const at = shop.sim.clock.now();
    await shop.confirmByKey(shop.invoice(id).paymentIntent, "pm_card_generic_decline");
    await shop.sim.clock.settle();
    expect(Date.parse(shop.invoice(id).nextAttemptAt ?? "") - Date.parse(at)).toBe(86_400_000);
    expect(shop.subscriptionEvents.filter((type) => type === "subscription.past_due")).toHaveLength(1);
  });
});

test("an open invoice whose intent was canceled by the back office gets another one with its next attempt", async () => {
  const shop = await Merchant.open();
  const { id, latestInvoice } = await shop.start();
  shop.sim.intents.cancel(latestInvoice.paymentIntent.id);
  expect(await shop.readSubscription(id)).toMatchObject({ status: "incomplete", latestInvoice: { status: "open" } });
  expect((await shop.processPayment(id)).status).toBe(200);
  await shop.sim.clock.settle();
  expect(shop.invoice(id)).toMatchObject({ status: "paid", attemptCount: 1 });
  expect(shop.invoice(id).paymentIntent.id).not.toBe(latestInvoice.paymentIntent.id);
});

test("an invoice whose turn came during a challenge that is then canceled is charged at once", async () => {
  const shop = await Merchant.open();
  const { id } = await shop.unpaid("pm_card_declines_renewals", { interval: "week" });
  await shop.sim.clock.advance("1 week");
  const waiting = shop.invoice(id).paymentIntent;
  await shop.confirmByKey(waiting, "pm_card_challenge");
  await shop.processPayment(id, "pm_card_approved");
  await shop.sim.clock.settle();
  expect(shop.invoices(id).map(({ status, attemptCount }) => `${status} ${attemptCount}`)).toEqual([
    "paid 1",
    "paid 5",
    "open 1",
  ]);
  shop.sim.intents.cancel(waiting.id);
  await shop.sim.clock.settle();
  expect(shop.invoice(id)).toMatchObject({ status: "paid", attemptCount: 2 });
  expect(shop.subscriptionStatus(id)).toBe("active");
});

test("a challenge of the first payment that the back office cancels leaves it to the customer to try again", async () => {
  const shop = await Merchant.open();
  const { id } = await shop.start();
  ok(await shop.processPayment(id, "pm_card_challenge"));
  shop.sim.intents.cancel(shop.invoice(id).paymentIntent.id);
  await shop.sim.clock.settle();
  expect(await shop.readSubscription(id)).toMatchObject({
    status: "incomplete",
    latestInvoice: { status: "open", attemptCount: 1 },
  });
  expect((await shop.processPayment(id)).status).toBe(200);
});

test("a challenge that the back office cancels ends the attempt, and a retry that fell due meanwhile runs at once", async () => {
  const shop = await Merchant.open();
  const { id } = await shop.pastDue();
  await shop.sim.clock.advance("23 hours 30 minutes");
  await shop.changeMethod(id, "pm_card_challenge");
  const challenged = shop.invoice(id);
  expect(challenged).toMatchObject({ attemptCount: 2, paymentIntent: { status: "requires_action" } });
  await shop.sim.clock.advance("45 minutes");
  expect(shop.invoice(id)).toMatchObject({ attemptCount: 2, paymentIntent: { status: "requires_action" } });
  shop.sim.intents.cancel(challenged.paymentIntent.id);
  await shop.sim.clock.settle();
  expect(shop.invoice(id)).toMatchObject({ status: "paid", attemptCount: 3 });
  expect(shop.subscriptionStatus(id)).toBe("active");
});
