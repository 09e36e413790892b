import { describe, expect, test } from "vitest";
import { Merchant } from "../merchant.ts";
import { ok } from "../merchant/answers.ts";

describe("a session with further tries", () => {
  test("is pending again after a decline, with a new embedded intent and no failed event", async () => {
    const merchant = await Merchant.open({ assumptions: { "checkout.retry": 2 } });
    const { sessionToken } = await merchant.createCheckout();
    const before = ok(await merchant.checkoutSession(sessionToken));
    await merchant.processCheckout(sessionToken, "pm_card_generic_decline");
    await merchant.sim.clock.settle();
    expect(ok(await merchant.checkoutSession(sessionToken))).toStrictEqual(before);
    expect(merchant.sim.intents.list().map(({ status }) => status)).toEqual(["failed", "requires_payment_method"]);
    expect(new Set(merchant.sim.intents.list().map(({ transactionId }) => transactionId)).size).toBe(1);
    await merchant.processCheckout(sessionToken, "pm_card_approved");
    await merchant.sim.clock.settle();
    expect(ok(await merchant.pollCheckout(sessionToken)).status).toBe("completed");
    expect(merchant.eventTypes).toEqual(["checkout.processing", "checkout.processing", "checkout.completed"]);
  });

  test.each([0, 1, 3])("has exactly %i of them", async (tries) => {
    const merchant = await Merchant.open({ assumptions: { "checkout.retry": tries } });
    const { sessionToken } = await merchant.createCheckout();
    for (let tried = 0; tried < tries; tried += 1) {
      await merchant.processCheckout(sessionToken, "pm_card_stolen");
      await merchant.sim.clock.settle();
      expect(ok(await merchant.pollCheckout(sessionToken)).status).toBe("pending");
    }
    await merchant.processCheckout(sessionToken, "pm_card_stolen");
    await merchant.sim.clock.settle();
    expect(ok(await merchant.pollCheckout(sessionToken)).status).toBe("failed");
    expect(merchant.eventTypes.filter((type) => type === "checkout.failed")).toHaveLength(1);
  });

  test("is pending again at once when the decline answers the call, and the hosted page shows why", async () => {
    const merchant = await Merchant.open({ assumptions: { "checkout.retry": 2 } });
    const { sessionToken, checkoutUrl } = await merchant.createCheckout();
    expect(await merchant.processCheckout(sessionToken, "pm_card_insufficient_funds")).toMatchObject({
      status: 402,
      body: { code: "INSUFFICIENT_FUNDS" },
    });
    expect(ok(await merchant.pollCheckout(sessionToken)).status).toBe("pending");
    const visit = await merchant.sim.customer.pay(checkoutUrl, "pm_card_insufficient_funds");
    expect(visit).toEqual({ status: "pending", problem: "The customer's balance is insufficient" });
    expect((await merchant.sim.customer.pay(checkoutUrl, "card")).status).toBe("processing");
  });

  test("a failed or missed challenge is a decline too", async () => {
    const merchant = await Merchant.open({ assumptions: { "checkout.retry": 2 } });
    const { sessionToken } = await merchant.createCheckout();
    const { redirectUrl } = ok(await merchant.processCheckout(sessionToken, "gcash"));
    await merchant.sim.customer.failAuthentication(redirectUrl);
    await merchant.sim.clock.settle();
    await merchant.processCheckout(sessionToken, "gcash");
    await merchant.sim.clock.advance("4 hours");
    expect(ok(await merchant.pollCheckout(sessionToken)).status).toBe("pending");
  });

  test("the page of an earlier try's challenge leads back, and changes nothing", async () => {
    const merchant = await Merchant.open({ assumptions: { "checkout.retry": 1 } });
    const { sessionToken } = await merchant.createCheckout();
    const { redirectUrl } = ok(await merchant.processCheckout(sessionToken, "gcash"));
    await merchant.sim.customer.failAuthentication(redirectUrl);
    await merchant.sim.clock.settle();
    expect(await merchant.sim.customer.authenticate(redirectUrl)).toMatchObject({ status: "pending" });
    expect(ok(await merchant.pollCheckout(sessionToken)).status).toBe("pending");
  });

  test("still expires at its expiresAt", async () => {
    const merchant = await Merchant.open({ assumptions: { "checkout.retry": 1 } });
    const { sessionToken } = await merchant.createCheckout();
    await merchant.processCheckout(sessionToken, "pm_card_stolen");
    await merchant.sim.clock.advance({ milliseconds: 86_399_999 });
    expect(ok(await merchant.pollCheckout(sessionToken)).status).toBe("pending");
    await merchant.sim.clock.advance("1 millisecond");
    expect(ok(await merchant.pollCheckout(sessionToken)).status).toBe("expired");
  });

  test("has none left once it has expired: a later decline is final", async () => {
    const merchant = await Merchant.open({ assumptions: { "checkout.retry": 1, "intent.processing-time": "2 days" } });
    const { sessionToken } = await merchant.createCheckout();
    await merchant.processCheckout(sessionToken, "pm_card_stolen");
    await merchant.sim.clock.advance("2 days");
    expect(ok(await merchant.pollCheckout(sessionToken)).status).toBe("failed");
    expect(merchant.eventTypes).toEqual(["checkout.processing", "checkout.failed"]);
  });
});
