import { createSimulator } from "centavo";
import { describe, expect, test } from "vitest";
import { Merchant } from "../merchant.ts";
import { ok } from "../merchant/answers.ts";

describe("creating a payment intent", () => {
  test("answers the fields of part 2.2, and no others", async () => {
    const merchant = await Merchant.open({ now: "2026-02-03T04:05:06.789Z" });
    const data = await merchant.createIntent({ description: "Two coffees" });
    expect(data).toStrictEqual({
      id: expect.stringMatching(/^pi_[0-9A-Za-z]{24}$/) as string,
      transactionId: expect.stringMatching(/^txn_[0-9A-Za-z]{24}$/) as string,
      sessionToken: expect.stringMatching(
        /^[\da-f]{8}-[\da-f]{4}-[1-8][\da-f]{3}-[89ab][\da-f]{3}-[\da-f]{12}$/,
      ) as string,
      amount: 10_000,
      status: "pending",
      description: "Two coffees",
      clientKey: expect.stringMatching(/^ck_fake_[0-9A-Za-z]{32}$/) as string,
      paymentMethods: ["gcash", "grab_pay", "card"],
      fee: 0,
      createdAt: "2026-02-03T04:05:06.789Z",
      updatedAt: "2026-02-03T04:05:06.789Z",
    });
  });

  test("takes only an amount, and answers an empty description", async () => {
    const merchant = await Merchant.open();
    const { body } = await merchant.call("POST", "/api/payment-intent", { amount: 1 });
    expect(body.data).toMatchObject({ amount: 1, description: "" });
  });

  test("keeps every field of the request, parts of a contact included", async () => {
    const merchant = await Merchant.open();
    const terms = {
      description: "",
      externalId: "order-7",
      contact: { email: "ana@example.com" },
      metadata: { table: 7, tags: ["a"], none: null },
      returnUrl: "https://shop.example/thanks",
      webhookUrl: "https://shop.example/other-hooks",
    };
    const { id } = await merchant.createIntent(terms);
    expect(merchant.sim.intents.get(id)).toMatchObject({
      externalId: "order-7",
      contact: { email: "ana@example.com" },
      metadata: { table: 7, tags: ["a"], none: null },
    });
    await merchant.confirm(id, "pm_card_approved");
    expect(merchant.sim.webhooks.events()[0]?.url).toBe("https://shop.example/other-hooks");
  });

  test("calls the status pending once, and requires_payment_method from then on", async () => {
    const merchant = await Merchant.open();
    const { id, status } = await merchant.createIntent();
    expect([status, (await merchant.intentStatus(id)).status]).toEqual(["pending", "requires_payment_method"]);
  });

  test("calls it requires_payment_method at once if the assumption says so", async () => {
    const merchant = await Merchant.open({ assumptions: { "intent.pending": "requires_payment_method" } });
    expect((await merchant.createIntent()).status).toBe("requires_payment_method");
  });

  test.each([
    [{}, "amount"],
    [{ amount: 0 }, "amount"],
    [{ amount: -5 }, "amount"],
    [{ amount: 10.5 }, "amount"],
    [{ amount: "100" }, "amount"],
    [{ amount: 100_000_000_000 }, "amount"],
    [{ amount: 100, contact: { name: 7 } }, "contact.name"],
    [{ amount: 100, returnUrl: "javascript:alert(1)" }, "returnUrl"],
    [{ amount: 100, returnUrl: "myshop://thanks" }, "returnUrl"],
    [{ amount: 100, webhookUrl: "ftp://shop.example" }, "webhookUrl"],
    [{ amount: 100, webhookUrl: "https://user:pass@shop.example" }, "webhookUrl"],
    [{ amount: 100, metadata: "text" }, "metadata"],
  ])("refuses %j, naming the field, and makes nothing", async (body, path) => {
    const merchant = await Merchant.open();
    const answer = await merchant.call("POST", "/api/payment-intent", body);
    expect(answer.status).toBe(400);
    expect(answer.body).toMatchObject({
      success: false,
      code: "VALIDATION_ERROR",
      errors: [{ path, code: "validation_error" }],
    });
    expect(merchant.sim.intents.list()).toEqual([]);
  });

  test("an app's own scheme is a valid returnUrl if return.schemes allows it", async () => {
    const merchant = await Merchant.open({ assumptions: { "return.schemes": ["myshop"] } });
    expect(
      await merchant.call("POST", "/api/payment-intent", { amount: 100, returnUrl: "myshop://thanks" }),
    ).toMatchObject({ status: 200 });
  });
});

describe("reading a payment intent's status", () => {
  test("answers the fields of part 2.3, and no others", async () => {
    const merchant = await Merchant.open();
    const { id, transactionId } = await merchant.createIntent();
    await merchant.sim.clock.advance("1 minute");
    expect(await merchant.intentStatus(id)).toStrictEqual({
      id,
      transactionId,
      amount: 10_000,
      status: "requires_payment_method",
      createdAt: "2026-01-01T00:00:00.000Z",
      updatedAt: "2026-01-01T00:00:00.000Z",
    });
    await merchant.confirm(id, "gcash");
    expect(await merchant.intentStatus(id)).toStrictEqual({
      id,
      transactionId,
      amount: 10_000,
      status: "requires_action",
      paymentMethod: { id: "pm_gcash", type: "gcash" },
      createdAt: "2026-01-01T00:00:00.000Z",
      updatedAt: "2026-01-01T00:01:00.000Z",
    });
  });

  test("answers INTENT_NOT_FOUND for an unknown intent and for another merchant's", async () => {
    const merchant = await Merchant.open();
    const { id } = await merchant.createIntent();
    const other = await merchant.neighbour();
    for (const path of [`/api/payment-intent/${id}/status`, "/api/payment-intent/pi_unknown/status"]) {
      expect(await other.call("GET", path)).toMatchObject({ status: 404, body: { code: "INTENT_NOT_FOUND" } });
    }
    expect(await other.confirm(id, "pm_card_approved")).toMatchObject({
      status: 404,
      body: { code: "INTENT_NOT_FOUND" },
    });
    expect((await merchant.intentStatus(id)).status).toBe("requires_payment_method");
  });

  test("the client key opens the status and confirm routes of its intent", async () => {
    const merchant = await Merchant.open();
    const { id, clientKey } = await merchant.createIntent();
    const other = await merchant.createIntent();
    const headers = { authorization: `Bearer ${clientKey}` };
    expect(ok(await merchant.confirm(id, "pm_card_approved", headers)).status).toBe("processing");
    expect(ok(await merchant.call("GET", `/api/payment-intent/${id}/status`, undefined, headers)).status).toBe(
      "processing",
    );
    expect(await merchant.confirm(other.id, "pm_card_approved", headers)).toMatchObject({
      status: 401,
      body: { message: "Invalid access token" },
    });
  });
});

test("two simulators with the same seed make the same ids", async () => {
  const [first, second] = await Promise.all([Merchant.open({ seed: 7 }), Merchant.open({ seed: 7 })]);
  expect(await first.createIntent()).toStrictEqual(await second.createIntent());
  expect(createSimulator({ seed: 7 }).credentials).toEqual(first.sim.credentials);
});
