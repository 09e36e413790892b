import { expect, test } from "vitest";
import { DAY, HOUR, after } from "../instants.ts";
import { Merchant } from "../merchant.ts";
import { ok } from "../merchant/answers.ts";

test("no next attempt is announced while a payment by hand is under way, however long it takes", async () => {
  const merchant = await Merchant.open();
  const { id } = await merchant.pastDue();
  const failedAt = merchant.sim.clock.now();
  await merchant.sim.clock.advance("23 hours 30 minutes");
  const { redirectUrl = "", subscription } = ok(await merchant.processPayment(id, "pm_card_challenge"));
  expect(subscription.latestInvoice).not.toHaveProperty("nextAttemptAt");
  await merchant.sim.clock.advanceTo(after(failedAt, DAY + HOUR / 4));
  expect((await merchant.readSubscription(id)).latestInvoice).not.toHaveProperty("nextAttemptAt");
  await merchant.sim.customer.authenticate(redirectUrl);
  await merchant.sim.clock.settle();
  expect(merchant.invoice(id)).not.toHaveProperty("nextAttemptAt");
});

test("a payment by hand that fails before the retry gives its moment back", async () => {
  const merchant = await Merchant.open();
  const { id } = await merchant.pastDue();
  const failedAt = merchant.sim.clock.now();
  const { redirectUrl = "" } = ok(await merchant.processPayment(id, "pm_card_challenge"));
  await merchant.sim.customer.failAuthentication(redirectUrl);
  await merchant.sim.clock.settle();
  expect(merchant.invoice(id)).toMatchObject({ attemptCount: 2, nextAttemptAt: after(failedAt, DAY) });
});

test.each(["fails", "is canceled"])(
  "when a payment by hand %s after the retry was due, the next attempt is now",
  async (how) => {
    const merchant = await Merchant.open();
    const { id } = await merchant.pastDue();
    await merchant.sim.clock.advance("23 hours 30 minutes");
    const { id: intentId, redirectUrl = "" } = ok(await merchant.processPayment(id, "pm_card_challenge"));
    await merchant.sim.clock.advance("45 minutes");
    if (how === "fails") await merchant.sim.customer.failAuthentication(redirectUrl);
    else merchant.sim.intents.cancel(intentId);
    await merchant.sim.clock.advanceUntil(() => merchant.invoice(id).nextAttemptAt !== undefined);
    expect(merchant.invoice(id).nextAttemptAt).toBe(merchant.sim.clock.now());
    await merchant.sim.clock.settle();
    expect(merchant.invoice(id)).toMatchObject({ status: "paid", attemptCount: 3 });
  },
);
