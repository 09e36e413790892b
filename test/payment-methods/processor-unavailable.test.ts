import { describe, expect, test } from "vitest";
import { Merchant } from "../merchant.ts";
import { ok } from "../merchant/answers.ts";
import { cardWith } from "../merchant/requests.ts";

const down = { status: 500, body: { success: false, code: "INTERNAL_ERROR", errors: [] } };

describe("a processor that is unavailable", () => {
  test.each([
    ["its readable id", { paymentMethodId: "pm_card_processor_unavailable" }],
    ["its number", { paymentMethod: "card", creditCardDetails: cardWith("5500000000000194") }],
  ])("by %s answers 500 once per intent, which stays as it was, and the next try is approved", async (_, body) => {
    const shop = await Merchant.open();
    for (const { id } of [await shop.createIntent(), await shop.createIntent()]) {
      expect(await shop.confirm(id, body)).toMatchObject(down);
      expect((await shop.intentStatus(id)).status).toBe("requires_payment_method");
      expect(await shop.intentStatus(id)).not.toHaveProperty("paymentMethod");
      expect(ok(await shop.confirm(id, body)).status).toBe("processing");
      await shop.sim.clock.settle();
      expect((await shop.intentStatus(id)).status).toBe("succeeded");
    }
  });

  test("leaves the intent to any other method", async () => {
    const shop = await Merchant.open();
    const { id } = await shop.createIntent();
    await shop.confirm(id, "pm_card_processor_unavailable");
    expect(ok(await shop.confirm(id, "gcash")).status).toBe("requires_action");
  });

  test("is not kept under an idempotency key: the repeated call goes through", async () => {
    const shop = await Merchant.open();
    const { id } = await shop.createIntent();
    const headers = { "idempotency-key": "k1" };
    expect(await shop.confirm(id, "pm_card_processor_unavailable", headers)).toMatchObject(down);
    expect(ok(await shop.confirm(id, "pm_card_processor_unavailable", headers)).status).toBe("processing");
  });

  test("answers 500 once per session, which stays pending without an event", async () => {
    const shop = await Merchant.open();
    const { sessionToken } = await shop.createCheckout();
    expect(await shop.processCheckout(sessionToken, "pm_card_processor_unavailable")).toMatchObject(down);
    expect(ok(await shop.pollCheckout(sessionToken)).status).toBe("pending");
    await shop.sim.clock.settle();
    expect(shop.webhooks).toEqual([]);
    expect(ok(await shop.processCheckout(sessionToken, "pm_card_processor_unavailable")).status).toBe("processing");
    await shop.sim.clock.settle();
    expect(ok(await shop.pollCheckout(sessionToken)).status).toBe("completed");
  });

  test("does so once per session also where a further try put a new intent in place", async () => {
    const shop = await Merchant.open({ assumptions: { "checkout.retry": 1 } });
    const { sessionToken } = await shop.createCheckout();
    await shop.processCheckout(sessionToken, "pm_card_processor_unavailable");
    await shop.processCheckout(sessionToken, "pm_card_generic_decline");
    await shop.sim.clock.settle();
    expect(ok(await shop.processCheckout(sessionToken, "pm_card_processor_unavailable")).status).toBe("processing");
  });

  test("is shown on the hosted page, where the customer may press Pay again", async () => {
    const shop = await Merchant.open();
    const { checkoutUrl } = await shop.createCheckout();
    const first = await shop.sim.customer.pay(checkoutUrl, "pm_card_processor_unavailable");
    expect(first).toEqual({ status: "pending", problem: "The processor is unavailable; try again" });
    expect((await shop.sim.customer.pay(checkoutUrl, "pm_card_processor_unavailable")).status).toBe("processing");
  });
});
