import { describe, expect, test } from "vitest";
import { Merchant } from "../merchant.ts";
import { ok } from "../merchant/answers.ts";

const notFound = {
  status: 404,
  body: { success: false, message: "Session not found", code: "SESSION_NOT_FOUND", errors: [] },
};
const unknown = "00000000-0000-4000-8000-000000000000";

describe("reading a session as the administrator", () => {
  test("answers the create response and what checkout.bodies adds, the payment method once it is known", async () => {
    const merchant = await Merchant.open();
    const created = await merchant.createCheckout({
      metadata: { table: 7 },
      contact: { name: "Ana", email: "ana@example.com", contact: "+63 900" },
    });
    const expected = {
      ...created,
      externalId: "order-1",
      contact: { name: "Ana", email: "ana@example.com", contact: "+63 900" },
      metadata: { table: 7 },
      isThirdParty: true,
      transactionId: expect.stringMatching(/^txn_[0-9A-Za-z]{24}$/) as string,
      updatedAt: "2026-01-01T00:00:00.000Z",
    };
    expect(ok(await merchant.checkoutSession(created.sessionToken))).toStrictEqual(expected);
    await merchant.sim.clock.advance("1 minute");
    await merchant.processCheckout(created.sessionToken, "gcash");
    expect(ok(await merchant.checkoutSession(created.sessionToken))).toStrictEqual({
      ...expected,
      status: "processing",
      fee: 250,
      paymentMethod: { id: "pm_gcash", type: "gcash" },
      updatedAt: "2026-01-01T00:01:00.000Z",
    });
  });

  test("needs the admin key, not the merchant's token", async () => {
    const merchant = await Merchant.open();
    const { sessionToken } = await merchant.createCheckout();
    const path = `/api/checkout/session/${sessionToken}`;
    expect((await merchant.call("GET", path)).status).toBe(401);
    expect((await merchant.call("GET", path, undefined, { "x-admin-key": "ak_fake_wrong" })).status).toBe(401);
  });
});

describe("polling a session", () => {
  test("answers its status, and no more than checkout.bodies says", async () => {
    const merchant = await Merchant.open();
    const { sessionToken } = await merchant.createCheckout();
    expect(ok(await merchant.pollCheckout(sessionToken))).toStrictEqual({
      sessionToken,
      status: "pending",
      transactionId: merchant.sim.checkouts.last()?.transactionId,
      updatedAt: "2026-01-01T00:00:00.000Z",
    });
  });

  test("needs the merchant's token, not the admin key", async () => {
    const merchant = await Merchant.open();
    const { sessionToken } = await merchant.createCheckout();
    const headers = { authorization: "", "x-admin-key": merchant.sim.credentials.adminKey };
    expect((await merchant.call("GET", `/api/checkout/polling/${sessionToken}`, undefined, headers)).status).toBe(401);
  });
});

describe("a session that does not exist", () => {
  test("is Session not found everywhere, on its page too", async () => {
    const merchant = await Merchant.open();
    expect(await merchant.checkoutSession(unknown)).toMatchObject(notFound);
    expect(await merchant.pollCheckout(unknown)).toMatchObject(notFound);
    expect(await merchant.processCheckout(unknown, "pm_card_approved")).toMatchObject(notFound);
    const page = `${merchant.sim.baseUrl}/pay/${unknown}`;
    expect((await merchant.sim.fetch(page)).status).toBe(404);
    expect(
      (await merchant.sim.fetch(page, { method: "POST", body: new URLSearchParams({ action: "pay" }) })).status,
    ).toBe(404);
  });

  test("is also the answer for another merchant's session", async () => {
    const merchant = await Merchant.open();
    const { sessionToken } = await merchant.createCheckout();
    const other = await merchant.neighbour();
    expect(await other.pollCheckout(sessionToken)).toMatchObject(notFound);
    expect(await other.processCheckout(sessionToken, "pm_card_approved")).toMatchObject(notFound);
    expect(ok(await merchant.pollCheckout(sessionToken)).status).toBe("pending");
  });
});
