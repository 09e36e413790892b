import { describe, expect, test } from "vitest";
import { Merchant } from "../merchant.ts";
import { ok } from "../merchant/answers.ts";

const DAY = 86_400_000;

async function statusOf(merchant: Merchant, sessionToken: string): Promise<string> {
  return ok(await merchant.pollCheckout(sessionToken)).status;
}

describe("a session at its expiresAt", () => {
  test("expires at that very moment if it is unpaid", async () => {
    const merchant = await Merchant.open();
    const { sessionToken } = await merchant.createCheckout();
    await merchant.sim.clock.advance({ milliseconds: DAY - 1 });
    expect(await statusOf(merchant, sessionToken)).toBe("pending");
    await merchant.sim.clock.advance("1 millisecond");
    expect(await statusOf(merchant, sessionToken)).toBe("expired");
    expect(merchant.eventTypes).toEqual(["checkout.expired"]);
    expect(merchant.sim.intents.last()?.status).toBe("canceled");
  });

  test("expires with a challenge still open: the embedded intent is canceled, and a later pass changes nothing", async () => {
    const merchant = await Merchant.open({ assumptions: { "checkout.lifetime": "30 minutes" } });
    const { sessionToken } = await merchant.createCheckout();
    const { redirectUrl } = ok(await merchant.processCheckout(sessionToken, "pm_card_challenge"));
    await merchant.sim.clock.advance({ milliseconds: 1_799_999 });
    expect(await statusOf(merchant, sessionToken)).toBe("processing");
    await merchant.sim.clock.advance("1 millisecond");
    expect(await statusOf(merchant, sessionToken)).toBe("expired");
    const before = [merchant.sim.checkouts.last(), merchant.sim.intents.last()];
    const visit = await merchant.sim.customer.authenticate(redirectUrl);
    expect(visit).toEqual({
      status: "expired",
      redirectedTo: `https://shop.example/thanks?sessionToken=${sessionToken}&externalId=order-1&status=expired`,
    });
    await merchant.sim.clock.advance("1 day");
    expect([merchant.sim.checkouts.last(), merchant.sim.intents.last()]).toEqual(before);
    expect(merchant.sim.intents.last()?.status).toBe("canceled");
    expect(merchant.eventTypes).toEqual(["checkout.processing", "checkout.expired"]);
    expect(merchant.sim.clock.pending()).toEqual([]);
  });

  test.each([
    ["pm_card_approved", "completed"],
    ["pm_card_generic_decline", "failed"],
  ])("waits for a payment in processing by %s, which is then %s", async (method, end) => {
    const merchant = await Merchant.open({ assumptions: { "intent.processing-time": "2 hours" } });
    const { sessionToken } = await merchant.createCheckout();
    await merchant.sim.clock.advance("23 hours");
    await merchant.processCheckout(sessionToken, method);
    await merchant.sim.clock.advance("1 hour");
    expect(await statusOf(merchant, sessionToken)).toBe("processing");
    await merchant.sim.clock.advance({ milliseconds: 3_599_999 });
    expect(await statusOf(merchant, sessionToken)).toBe("processing");
    await merchant.sim.clock.advance("1 millisecond");
    expect(await statusOf(merchant, sessionToken)).toBe(end);
    expect(merchant.eventTypes).toEqual(["checkout.processing", `checkout.${end}`]);
  });

  test("waits for a payment whose challenge was passed in time", async () => {
    const merchant = await Merchant.open({
      assumptions: { "intent.processing-time": "2 hours", "checkout.lifetime": "30 minutes" },
    });
    const { sessionToken } = await merchant.createCheckout();
    const { redirectUrl } = ok(await merchant.processCheckout(sessionToken, "pm_card_challenge"));
    await merchant.sim.clock.advance({ milliseconds: 1_799_999 });
    await merchant.sim.customer.authenticate(redirectUrl);
    await merchant.sim.clock.advance("1 hour");
    expect(await statusOf(merchant, sessionToken)).toBe("processing");
    await merchant.sim.clock.advance("1 hour");
    expect(await statusOf(merchant, sessionToken)).toBe("completed");
  });

  test("comes before a challenge's window that closes at the same moment, because it was scheduled first", async () => {
    const merchant = await Merchant.open({ assumptions: { "checkout.lifetime": "1 hour" } });
    const { sessionToken } = await merchant.createCheckout();
    await merchant.processCheckout(sessionToken, "pm_card_challenge");
    await merchant.sim.clock.advance("1 hour");
    expect(await statusOf(merchant, sessionToken)).toBe("expired");
    expect(merchant.sim.intents.last()?.status).toBe("canceled");
  });

  test("does not change one that has ended before", async () => {
    const merchant = await Merchant.open();
    const { sessionToken } = await merchant.createCheckout();
    await merchant.processCheckout(sessionToken, "pm_card_approved");
    await merchant.sim.clock.settle();
    expect(merchant.sim.clock.pending()).toEqual([]);
    await merchant.sim.clock.advance("2 days");
    expect(await statusOf(merchant, sessionToken)).toBe("completed");
  });
});

describe("an expired session", () => {
  test("is Session not found for process, and reads as expired elsewhere", async () => {
    const merchant = await Merchant.open();
    const { sessionToken, checkoutUrl } = await merchant.createCheckout();
    await merchant.sim.clock.advance("1 day");
    expect(await merchant.processCheckout(sessionToken, "pm_card_approved")).toMatchObject({
      status: 404,
      body: { message: "Session not found", code: "SESSION_NOT_FOUND" },
    });
    expect(ok(await merchant.checkoutSession(sessionToken)).status).toBe("expired");
    expect(await statusOf(merchant, sessionToken)).toBe("expired");
    const visit = await merchant.sim.customer.pay(checkoutUrl, "pm_card_approved");
    expect(visit).toMatchObject({
      status: "expired",
      redirectedTo: expect.stringContaining("status=expired") as string,
    });
  });
});
