import { describe, expect, test } from "vitest";
import { Merchant } from "../merchant.ts";
import { ok } from "../merchant/answers.ts";
import { cardWith } from "../merchant/requests.ts";

const down = { status: 500, body: { success: false, code: "INTERNAL_ERROR", errors: [] } };

describe("a processor that is unavailable", () => {
  test.each([
    ["its readable id", { paymentMethodId: "pm_card_processor_unavailable" }],
    ["its number", { paymentMethod: "card", creditCardDetails: cardWith("5500000000000194") }],
  ])(
    "by %s answers 500 once per intent, which awaits its confirmation, and the next try is approved",
    async (_, body) => {
      const merchant = await Merchant.open();
      for (const { id } of [await merchant.createIntent(), await merchant.createIntent()]) {
        expect(await merchant.confirm(id, body)).toMatchObject(down);
        expect(await merchant.intentStatus(id)).toMatchObject({
          status: "requires_confirmation",
          paymentMethod: { type: "card" },
        });
        expect(ok(await merchant.confirm(id, body)).status).toBe("processing");
        await merchant.sim.clock.settle();
        expect((await merchant.intentStatus(id)).status).toBe("succeeded");
      }
    },
  );

  test("leaves the intent to any other method", async () => {
    const merchant = await Merchant.open();
    const { id } = await merchant.createIntent();
    await merchant.confirm(id, "pm_card_processor_unavailable");
    expect(ok(await merchant.confirm(id, "gcash")).status).toBe("requires_action");
  });

  test("is not kept under an idempotency key: the repeated call goes through", async () => {
    const merchant = await Merchant.open();
    const { id } = await merchant.createIntent();
    const headers = { "idempotency-key": "k1" };
    expect(await merchant.confirm(id, "pm_card_processor_unavailable", headers)).toMatchObject(down);
    expect(ok(await merchant.confirm(id, "pm_card_processor_unavailable", headers)).status).toBe("processing");
  });

  test("answers 500 once per session, which stays pending without an event", async () => {
    const merchant = await Merchant.open();
    const { sessionToken } = await merchant.createCheckout();
    expect(await merchant.processCheckout(sessionToken, "pm_card_processor_unavailable")).toMatchObject(down);
    expect(ok(await merchant.pollCheckout(sessionToken)).status).toBe("pending");
    await merchant.sim.clock.settle();
    expect(merchant.webhooks).toEqual([]);
    expect(ok(await merchant.processCheckout(sessionToken, "pm_card_processor_unavailable")).status).toBe("processing");
    await merchant.sim.clock.settle();
    expect(ok(await merchant.pollCheckout(sessionToken)).status).toBe("completed");
  });

  test("answers 500 once per session, even if a further try has a new intent", async () => {
    const merchant = await Merchant.open({ assumptions: { "checkout.retry": 1 } });
    const { sessionToken } = await merchant.createCheckout();
    await merchant.processCheckout(sessionToken, "pm_card_processor_unavailable");
    await merchant.processCheckout(sessionToken, "pm_card_generic_decline");
    await merchant.sim.clock.settle();
    expect(ok(await merchant.processCheckout(sessionToken, "pm_card_processor_unavailable")).status).toBe("processing");
  });

  test("is shown on the hosted page, where the customer may press Pay again", async () => {
    const merchant = await Merchant.open();
    const { checkoutUrl } = await merchant.createCheckout();
    const first = await merchant.sim.customer.pay(checkoutUrl, "pm_card_processor_unavailable");
    expect(first).toEqual({ status: "pending", problem: "The processor is unavailable; try again" });
    expect((await merchant.sim.customer.pay(checkoutUrl, "pm_card_processor_unavailable")).status).toBe("processing");
  });
});
