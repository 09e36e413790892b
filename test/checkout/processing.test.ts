import { describe, expect, test } from "vitest";
import { Merchant } from "../merchant.ts";
import { ok } from "../merchant/answers.ts";

describe("processing a session", () => {
  test("answers the fields of polling, and that no action is required", async () => {
    const merchant = await Merchant.open();
    const { sessionToken } = await merchant.createCheckout();
    const polled = ok(await merchant.pollCheckout(sessionToken));
    const { status, body } = await merchant.processCheckout(sessionToken, "pm_card_approved");
    expect([status, body]).toStrictEqual([
      200,
      { success: true, data: { ...polled, status: "processing", requiresAction: false } },
    ]);
    await merchant.sim.clock.settle();
    expect(ok(await merchant.pollCheckout(sessionToken)).status).toBe("completed");
  });

  test("answers the address at which the customer must act", async () => {
    const merchant = await Merchant.open();
    const { sessionToken } = await merchant.createCheckout();
    const data = ok(await merchant.processCheckout(sessionToken, "grab_pay"));
    const redirectUrl = expect.stringMatching(/^https:\/\/api\.pay\.example\/authenticate\/ach_/) as string;
    expect(data).toMatchObject({
      status: "processing",
      requiresAction: true,
      redirectUrl,
      nextAction: { type: "redirect", redirectUrl },
    });
    const visit = await merchant.sim.customer.authenticate(data.redirectUrl);
    expect(visit).toEqual({
      status: "processing",
      redirectedTo: `https://shop.example/thanks?sessionToken=${sessionToken}&externalId=order-1&status=processing`,
    });
    await merchant.sim.clock.settle();
    expect(ok(await merchant.pollCheckout(sessionToken)).status).toBe("completed");
  });

  test.each([
    ["pm_card_generic_decline", undefined],
    ["pm_card_challenge", "failAuthentication"],
    ["pm_card_declined_after_challenge", "authenticate"],
  ] as const)("fails for good by %s", async (method, act) => {
    const merchant = await Merchant.open();
    const { sessionToken } = await merchant.createCheckout();
    const { redirectUrl } = ok(await merchant.processCheckout(sessionToken, method));
    if (act !== undefined) await merchant.sim.customer[act](redirectUrl);
    await merchant.sim.clock.settle();
    expect(ok(await merchant.pollCheckout(sessionToken)).status).toBe("failed");
    expect(await merchant.processCheckout(sessionToken, "pm_card_approved")).toMatchObject({
      status: 409,
      body: { code: "INTENT_ALREADY_CONFIRMED" },
    });
  });

  test("fails when the challenge's window closes", async () => {
    const merchant = await Merchant.open();
    const { sessionToken } = await merchant.createCheckout();
    await merchant.processCheckout(sessionToken, "grab_pay");
    await merchant.sim.clock.advance({ milliseconds: 899_999 });
    expect(ok(await merchant.pollCheckout(sessionToken)).status).toBe("processing");
    await merchant.sim.clock.advance("1 millisecond");
    expect(ok(await merchant.pollCheckout(sessionToken)).status).toBe("failed");
  });

  test("answers INSUFFICIENT_FUNDS at once, and the session has failed by then", async () => {
    const merchant = await Merchant.open();
    const { sessionToken } = await merchant.createCheckout();
    expect(await merchant.processCheckout(sessionToken, "pm_card_insufficient_funds")).toMatchObject({
      status: 402,
      body: { code: "INSUFFICIENT_FUNDS" },
    });
    expect(ok(await merchant.pollCheckout(sessionToken)).status).toBe("failed");
    await merchant.sim.clock.settle();
    expect(merchant.eventTypes).toEqual(["checkout.processing", "checkout.failed"]);
  });

  test("refuses an unknown method and a raw card number, and stays pending", async () => {
    const merchant = await Merchant.open();
    const { sessionToken } = await merchant.createCheckout();
    for (const method of ["pm_unknown", "4343434343434345"]) {
      expect(await merchant.processCheckout(sessionToken, method)).toMatchObject({
        status: 400,
        body: { code: "PAYMENT_METHOD_INVALID" },
      });
    }
    expect(await merchant.call("POST", `/api/checkout/process/${sessionToken}`, {})).toMatchObject({
      status: 400,
      body: { errors: [{ path: "paymentMethodId" }] },
    });
    expect(ok(await merchant.pollCheckout(sessionToken)).status).toBe("pending");
  });

  test("twice is INTENT_ALREADY_CONFIRMED, in processing and after the end", async () => {
    const merchant = await Merchant.open();
    const { sessionToken } = await merchant.createCheckout();
    await merchant.processCheckout(sessionToken, "pm_card_approved");
    const again = { status: 409, body: { success: false, code: "INTENT_ALREADY_CONFIRMED" } };
    expect(await merchant.processCheckout(sessionToken, "pm_card_approved")).toMatchObject(again);
    await merchant.sim.clock.settle();
    expect(await merchant.processCheckout(sessionToken, "pm_card_approved")).toMatchObject(again);
  });

  test("repeated while the challenge is open is 3D_SECURE_REQUIRED with the way to it, and changes nothing", async () => {
    const merchant = await Merchant.open();
    const { sessionToken } = await merchant.createCheckout();
    const { redirectUrl } = ok(await merchant.processCheckout(sessionToken, "pm_card_challenge"));
    const before = merchant.sim.checkouts.last();
    expect(await merchant.processCheckout(sessionToken, "pm_card_approved")).toMatchObject({
      status: 402,
      body: {
        code: "3D_SECURE_REQUIRED",
        requiresAction: true,
        redirectUrl,
        nextAction: { type: "redirect", redirectUrl },
      },
    });
    expect(merchant.sim.checkouts.last()).toEqual(before);
  });

  test("a cancelled session is not found, as its token opens no payment any more, but its status can still be read", async () => {
    const merchant = await Merchant.open();
    const { sessionToken, checkoutUrl } = await merchant.createCheckout();
    await merchant.sim.customer.cancel(checkoutUrl);
    expect(await merchant.processCheckout(sessionToken, "pm_card_approved")).toMatchObject({
      status: 404,
      body: { code: "SESSION_NOT_FOUND", message: "Session not found: the customer cancelled it" },
    });
    expect(ok(await merchant.pollCheckout(sessionToken)).status).toBe("cancelled");
  });

  test("the fee is known once the method is", async () => {
    const merchant = await Merchant.open();
    const { sessionToken } = await merchant.createCheckout({ amount: 50_000 });
    await merchant.processCheckout(sessionToken, "pm_card_approved");
    expect(ok(await merchant.checkoutSession(sessionToken))).toMatchObject({ amount: 50_000, fee: 3250 });
  });
});
