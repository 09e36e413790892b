import { describe, expect, test } from "vitest";
import { Merchant } from "../merchant.ts";
import { ok } from "../merchant/answers.ts";

describe("processing a session", () => {
  test("answers polling's fields and that nothing more is required", async () => {
    const shop = await Merchant.open();
    const { sessionToken } = await shop.createCheckout();
    const polled = ok(await shop.pollCheckout(sessionToken));
    const { status, body } = await shop.processCheckout(sessionToken, "pm_card_approved");
    expect([status, body]).toStrictEqual([
      200,
      { success: true, data: { ...polled, status: "processing", requiresAction: false } },
    ]);
    await shop.sim.clock.settle();
    expect(ok(await shop.pollCheckout(sessionToken)).status).toBe("completed");
  });

  test("answers where the customer must act", async () => {
    const shop = await Merchant.open();
    const { sessionToken } = await shop.createCheckout();
    const data = ok(await shop.processCheckout(sessionToken, "grab_pay"));
    const redirectUrl = expect.stringMatching(/^https:\/\/api\.pay\.example\/authenticate\/ach_/) as string;
    expect(data).toMatchObject({
      status: "processing",
      requiresAction: true,
      redirectUrl,
      nextAction: { type: "redirect", redirectUrl },
    });
    const visit = await shop.sim.customer.authenticate(data.redirectUrl);
    expect(visit).toEqual({
      status: "processing",
      redirectedTo: `https://shop.example/thanks?sessionToken=${sessionToken}&externalId=order-1&status=processing`,
    });
    await shop.sim.clock.settle();
    expect(ok(await shop.pollCheckout(sessionToken)).status).toBe("completed");
  });

  test.each([
    ["pm_card_generic_decline", undefined],
    ["pm_card_challenge", "failAuthentication"],
    ["pm_card_declined_after_challenge", "authenticate"],
  ] as const)("fails for good by %s", async (method, act) => {
    const shop = await Merchant.open();
    const { sessionToken } = await shop.createCheckout();
    const { redirectUrl } = ok(await shop.processCheckout(sessionToken, method));
    if (act !== undefined) await shop.sim.customer[act](redirectUrl);
    await shop.sim.clock.settle();
    expect(ok(await shop.pollCheckout(sessionToken)).status).toBe("failed");
    expect(await shop.processCheckout(sessionToken, "pm_card_approved")).toMatchObject({
      status: 409,
      body: { code: "INTENT_ALREADY_CONFIRMED" },
    });
  });

  test("fails when the challenge's window closes", async () => {
    const shop = await Merchant.open();
    const { sessionToken } = await shop.createCheckout();
    await shop.processCheckout(sessionToken, "grab_pay");
    await shop.sim.clock.advance({ milliseconds: 899_999 });
    expect(ok(await shop.pollCheckout(sessionToken)).status).toBe("processing");
    await shop.sim.clock.advance("1 millisecond");
    expect(ok(await shop.pollCheckout(sessionToken)).status).toBe("failed");
  });

  test("answers INSUFFICIENT_FUNDS at once, and the session has failed by then", async () => {
    const shop = await Merchant.open();
    const { sessionToken } = await shop.createCheckout();
    expect(await shop.processCheckout(sessionToken, "pm_card_insufficient_funds")).toMatchObject({
      status: 402,
      body: { code: "INSUFFICIENT_FUNDS" },
    });
    expect(ok(await shop.pollCheckout(sessionToken)).status).toBe("failed");
    await shop.sim.clock.settle();
    expect(shop.eventTypes).toEqual(["checkout.processing", "checkout.failed"]);
  });

  test("refuses an unknown method and a raw card number, and stays pending", async () => {
    const shop = await Merchant.open();
    const { sessionToken } = await shop.createCheckout();
    for (const method of ["pm_unknown", "4343434343434345"]) {
      expect(await shop.processCheckout(sessionToken, method)).toMatchObject({
        status: 400,
        body: { code: "PAYMENT_METHOD_INVALID" },
      });
    }
    expect(await shop.call("POST", `/api/checkout/process/${sessionToken}`, {})).toMatchObject({
      status: 400,
      body: { errors: [{ path: "paymentMethodId" }] },
    });
    expect(ok(await shop.pollCheckout(sessionToken)).status).toBe("pending");
  });

  test("twice is INTENT_ALREADY_CONFIRMED, in processing and after the end", async () => {
    const shop = await Merchant.open();
    const { sessionToken } = await shop.createCheckout();
    await shop.processCheckout(sessionToken, "pm_card_approved");
    const again = { status: 409, body: { success: false, code: "INTENT_ALREADY_CONFIRMED" } };
    expect(await shop.processCheckout(sessionToken, "pm_card_approved")).toMatchObject(again);
    await shop.sim.clock.settle();
    expect(await shop.processCheckout(sessionToken, "pm_card_approved")).toMatchObject(again);
  });

  test("repeated while the challenge is open is 3D_SECURE_REQUIRED with the way to it, and changes nothing", async () => {
    const shop = await Merchant.open();
    const { sessionToken } = await shop.createCheckout();
    const { redirectUrl } = ok(await shop.processCheckout(sessionToken, "pm_card_challenge"));
    const before = shop.sim.checkouts.last();
    expect(await shop.processCheckout(sessionToken, "pm_card_approved")).toMatchObject({
      status: 402,
      body: {
        code: "3D_SECURE_REQUIRED",
        requiresAction: true,
        redirectUrl,
        nextAction: { type: "redirect", redirectUrl },
      },
    });
    expect(shop.sim.checkouts.last()).toEqual(before);
  });

  test("a cancelled session is not processed", async () => {
    const shop = await Merchant.open();
    const { sessionToken, checkoutUrl } = await shop.createCheckout();
    await shop.sim.customer.cancel(checkoutUrl);
    expect(await shop.processCheckout(sessionToken, "pm_card_approved")).toMatchObject({
      status: 409,
      body: { code: "INTENT_ALREADY_CONFIRMED" },
    });
    expect(ok(await shop.pollCheckout(sessionToken)).status).toBe("cancelled");
  });

  test("the fee is known once the method is", async () => {
    const shop = await Merchant.open();
    const { sessionToken } = await shop.createCheckout({ amount: 50_000 });
    await shop.processCheckout(sessionToken, "pm_card_approved");
    expect(ok(await shop.checkoutSession(sessionToken))).toMatchObject({ amount: 50_000, fee: 3250 });
  });
});
