import { describe, expect, test } from "vitest";
import { Merchant } from "../merchant.ts";
import { ok } from "../merchant/answers.ts";

const DAY = 86_400_000;

async function statusOf(shop: Merchant, sessionToken: string): Promise<string> {
  return ok(await shop.pollCheckout(sessionToken)).status;
}

describe("a session at its expiresAt", () => {
  test("expires at that very moment when nobody paid", async () => {
    const shop = await Merchant.open();
    const { sessionToken } = await shop.createCheckout();
    await shop.sim.clock.advance({ milliseconds: DAY - 1 });
    expect(await statusOf(shop, sessionToken)).toBe("pending");
    await shop.sim.clock.advance("1 millisecond");
    expect(await statusOf(shop, sessionToken)).toBe("expired");
    expect(shop.eventTypes).toEqual(["checkout.expired"]);
    expect(shop.sim.intents.last()?.status).toBe("canceled");
  });

  test("expires with a challenge still open: the embedded intent is canceled, and a later pass changes nothing", async () => {
    const shop = await Merchant.open({ assumptions: { "checkout.lifetime": "30 minutes" } });
    const { sessionToken } = await shop.createCheckout();
    const { redirectUrl } = ok(await shop.processCheckout(sessionToken, "pm_card_challenge"));
    await shop.sim.clock.advance({ milliseconds: 1_799_999 });
    expect(await statusOf(shop, sessionToken)).toBe("processing");
    await shop.sim.clock.advance("1 millisecond");
    expect(await statusOf(shop, sessionToken)).toBe("expired");
    const before = [shop.sim.checkouts.last(), shop.sim.intents.last()];
    const visit = await shop.sim.customer.authenticate(redirectUrl);
    expect(visit).toEqual({
      status: "expired",
      redirectedTo: `https://shop.example/thanks?sessionToken=${sessionToken}&externalId=order-1&status=expired`,
    });
    await shop.sim.clock.advance("1 day");
    expect([shop.sim.checkouts.last(), shop.sim.intents.last()]).toEqual(before);
    expect(shop.sim.intents.last()?.status).toBe("canceled");
    expect(shop.eventTypes).toEqual(["checkout.processing", "checkout.expired"]);
    expect(shop.sim.clock.pending()).toEqual([]);
  });

  test.each([
    ["pm_card_approved", "completed"],
    ["pm_card_generic_decline", "failed"],
  ])("waits for a payment in processing by %s, which is then %s", async (method, end) => {
    const shop = await Merchant.open({ assumptions: { "intent.processing-time": "2 hours" } });
    const { sessionToken } = await shop.createCheckout();
    await shop.sim.clock.advance("23 hours");
    await shop.processCheckout(sessionToken, method);
    await shop.sim.clock.advance("1 hour");
    expect(await statusOf(shop, sessionToken)).toBe("processing");
    await shop.sim.clock.advance({ milliseconds: 3_599_999 });
    expect(await statusOf(shop, sessionToken)).toBe("processing");
    await shop.sim.clock.advance("1 millisecond");
    expect(await statusOf(shop, sessionToken)).toBe(end);
    expect(shop.eventTypes).toEqual(["checkout.processing", `checkout.${end}`]);
  });

  test("waits for a payment whose challenge was passed in time", async () => {
    const shop = await Merchant.open({
      assumptions: { "intent.processing-time": "2 hours", "checkout.lifetime": "30 minutes" },
    });
    const { sessionToken } = await shop.createCheckout();
    const { redirectUrl } = ok(await shop.processCheckout(sessionToken, "pm_card_challenge"));
    await shop.sim.clock.advance({ milliseconds: 1_799_999 });
    await shop.sim.customer.authenticate(redirectUrl);
    await shop.sim.clock.advance("1 hour");
    expect(await statusOf(shop, sessionToken)).toBe("processing");
    await shop.sim.clock.advance("1 hour");
    expect(await statusOf(shop, sessionToken)).toBe("completed");
  });

  test("comes first where a challenge's window closes at the same moment, because it was scheduled first", async () => {
    const shop = await Merchant.open({ assumptions: { "checkout.lifetime": "1 hour" } });
    const { sessionToken } = await shop.createCheckout();
    await shop.processCheckout(sessionToken, "pm_card_challenge");
    await shop.sim.clock.advance("1 hour");
    expect(await statusOf(shop, sessionToken)).toBe("expired");
    expect(shop.sim.intents.last()?.status).toBe("canceled");
  });

  test("is no matter for one that has ended before", async () => {
    const shop = await Merchant.open();
    const { sessionToken } = await shop.createCheckout();
    await shop.processCheckout(sessionToken, "pm_card_approved");
    await shop.sim.clock.settle();
    expect(shop.sim.clock.pending()).toEqual([]);
    await shop.sim.clock.advance("2 days");
    expect(await statusOf(shop, sessionToken)).toBe("completed");
  });
});

describe("an expired session", () => {
  test("is Session not found for process, and reads as expired elsewhere", async () => {
    const shop = await Merchant.open();
    const { sessionToken, checkoutUrl } = await shop.createCheckout();
    await shop.sim.clock.advance("1 day");
    expect(await shop.processCheckout(sessionToken, "pm_card_approved")).toMatchObject({
      status: 404,
      body: { message: "Session not found", code: "SESSION_NOT_FOUND" },
    });
    expect(ok(await shop.checkoutSession(sessionToken)).status).toBe("expired");
    expect(await statusOf(shop, sessionToken)).toBe("expired");
    const visit = await shop.sim.customer.pay(checkoutUrl, "pm_card_approved");
    expect(visit).toMatchObject({
      status: "expired",
      redirectedTo: expect.stringContaining("status=expired") as string,
    });
  });
});
