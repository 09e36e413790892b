import { describe, expect, test } from "vitest";
import { Merchant } from "../merchant.ts";
import { ok } from "../merchant/answers.ts";
import { cardWith } from "../merchant/requests.ts";

const approved = cardWith("4343434343434345");

describe("confirming a payment intent", () => {
  test("answers the shape of part 2.4 with id beside intentId", async () => {
    const merchant = await Merchant.open();
    const { id } = await merchant.createIntent();
    const { status, body } = await merchant.confirm(id, { paymentMethodId: "pm_card_approved" });
    expect(status).toBe(200);
    expect(body).toStrictEqual({
      success: true,
      data: { id, intentId: id, status: "processing", requiresAction: false },
    });
  });

  test("makes both of the document's moves, and is processing until the clock settles", async () => {
    const merchant = await Merchant.open();
    const { id } = await merchant.createIntent();
    await merchant.confirm(id, "pm_card_approved");
    expect((await merchant.intentStatus(id)).status).toBe("processing");
    await merchant.sim.clock.settle();
    expect((await merchant.intentStatus(id)).status).toBe("succeeded");
    const moves = merchant.sim.journal.entries
      .filter(({ kind }) => kind === "step" || kind === "timer")
      .map(({ details }) => details["to"]);
    expect(moves).toEqual(["requires_payment_method", "requires_confirmation", "processing", "succeeded"]);
  });

  test("processing lasts as long as intent.processing-time says, to the millisecond", async () => {
    const merchant = await Merchant.open({ assumptions: { "intent.processing-time": "2 seconds" } });
    const { id } = await merchant.createIntent();
    await merchant.confirm(id, "pm_card_approved");
    await merchant.sim.clock.advance("1999 milliseconds");
    expect((await merchant.intentStatus(id)).status).toBe("processing");
    await merchant.sim.clock.advance("1 millisecond");
    expect((await merchant.intentStatus(id)).status).toBe("succeeded");
  });

  test.each([
    ["the REST form", { paymentMethodId: "pm_card_approved" }, "pm_card_approved"],
    ["the SDK form with an id", { paymentMethod: "pm_card_approved" }, "pm_card_approved"],
    ["both in agreement", { paymentMethodId: "gcash", paymentMethod: "gcash" }, "pm_gcash"],
    [
      "an id beside card details that are then not needed",
      { paymentMethod: "pm_card_approved", creditCardDetails: approved },
      "pm_card_approved",
    ],
  ])("takes %s", async (_, body, expected) => {
    const merchant = await Merchant.open();
    const { id } = await merchant.createIntent();
    ok(await merchant.confirm(id, body));
    expect((await merchant.intentStatus(id)).paymentMethod?.id).toBe(expected);
  });

  test.each(["paymentMethod", "paymentMethodId"])(
    "takes a card in full under %s, and keeps it under a new id",
    async (field) => {
      const merchant = await Merchant.open();
      const { id } = await merchant.createIntent();
      ok(await merchant.confirm(id, { [field]: "card", creditCardDetails: approved }));
      const { paymentMethod } = await merchant.intentStatus(id);
      expect(paymentMethod).toEqual({ id: expect.stringMatching(/^pm_[0-9A-Za-z]{24}$/) as string, type: "card" });
      expect(merchant.sim.intents.get(id)?.paymentMethod).toMatchObject({ brand: "visa", last4: "4345" });
    },
  );

  test.each([
    [{}, ["paymentMethodId"]],
    [{ paymentMethodId: "gcash", paymentMethod: "grab_pay" }, ["paymentMethod"]],
    [{ paymentMethod: "card" }, ["creditCardDetails"]],
    [{ paymentMethodId: "" }, ["paymentMethodId"]],
    [{ contact: { name: 5 } }, ["contact.name", "paymentMethodId"]],
    [{ creditCardDetails: approved }, ["paymentMethodId"]],
    [
      { paymentMethod: "card", creditCardDetails: {} },
      ["cardNumber", "expMonth", "expYear", "cvc"].map((field) => `creditCardDetails.${field}`),
    ],
    [{ paymentMethod: "card", creditCardDetails: { ...approved, expMonth: "13" } }, ["creditCardDetails.expMonth"]],
    [{ paymentMethod: "card", creditCardDetails: { ...approved, expMonth: "0" } }, ["creditCardDetails.expMonth"]],
    [{ paymentMethod: "card", creditCardDetails: { ...approved, expYear: "203" } }, ["creditCardDetails.expYear"]],
    [{ paymentMethod: "card", creditCardDetails: { ...approved, cvc: "12" } }, ["creditCardDetails.cvc"]],
    [{ paymentMethod: "card", creditCardDetails: { ...approved, cvc: "12345" } }, ["creditCardDetails.cvc"]],
    [{ paymentMethod: "card", creditCardDetails: { ...approved, expMonth: 12 } }, ["creditCardDetails.expMonth"]],
  ])("refuses %j, naming every offending field, and leaves the intent as it was", async (body, paths) => {
    const merchant = await Merchant.open();
    const { id } = await merchant.createIntent();
    const { status, body: answer } = await merchant.confirm(id, body);
    expect([status, answer.code]).toEqual([400, "VALIDATION_ERROR"]);
    expect(answer.errors?.map(({ path }) => path)).toEqual(paths);
    expect(merchant.sim.intents.get(id)).toMatchObject({
      status: "requires_payment_method",
      updatedAt: "2026-01-01T00:00:00.000Z",
    });
  });

  test.each(["paymentMethodId", "paymentMethod"])(
    "charges the method that %s names, and notes that the card beside it was not used",
    async (field) => {
      const merchant = await Merchant.open();
      const { id } = await merchant.createIntent();
      ok(await merchant.confirm(id, { [field]: "pm_gcash", creditCardDetails: approved }));
      expect(merchant.sim.intents.get(id)?.paymentMethod).toEqual({ id: "pm_gcash", type: "gcash" });
      expect(merchant.sim.journal.entries.filter(({ kind }) => kind === "warning")).toMatchObject([
        { details: { message: 'creditCardDetails were not used: the payment method is pm_gcash, not "card"' } },
      ]);
    },
  );

  test("a contact replaces the intent's, field by field", async () => {
    const merchant = await Merchant.open();
    const { id } = await merchant.createIntent({
      contact: { name: "Ana", email: "ana@example.com", phone: "+63 900" },
    });
    await merchant.confirm(id, { paymentMethodId: "gcash", contact: { email: "reyes@example.com" } });
    expect(merchant.sim.intents.get(id)?.contact).toEqual({
      name: "Ana",
      email: "reyes@example.com",
      phone: "+63 900",
    });
  });

  test("a refused method replaces nothing", async () => {
    const merchant = await Merchant.open();
    const { id } = await merchant.createIntent({ contact: { name: "Ana" } });
    const refused = await merchant.confirm(id, { paymentMethodId: "pm_unknown", contact: { name: "Ben" } });
    expect(refused).toMatchObject({ status: 400, body: { code: "PAYMENT_METHOD_INVALID" } });
    expect(merchant.sim.intents.get(id)).toMatchObject({ status: "requires_payment_method", contact: { name: "Ana" } });
  });

  test.each(["pm_card_approved", "pm_card_generic_decline"])(
    "confirming twice with %s answers INTENT_ALREADY_CONFIRMED, in processing and in the end",
    async (method) => {
      const merchant = await Merchant.open();
      const { id } = await merchant.createIntent();
      await merchant.confirm(id, method);
      const again = { status: 409, body: { success: false, code: "INTENT_ALREADY_CONFIRMED", errors: [] } };
      expect(await merchant.confirm(id, method)).toMatchObject(again);
      await merchant.sim.clock.settle();
      expect(await merchant.confirm(id, "pm_card_approved")).toMatchObject(again);
    },
  );

  test("a canceled intent is not confirmed", async () => {
    const merchant = await Merchant.open();
    const { id } = await merchant.createIntent();
    merchant.sim.intents.cancel(id);
    expect(await merchant.confirm(id, "pm_card_approved")).toMatchObject({
      status: 409,
      body: { code: "INTENT_ALREADY_CONFIRMED" },
    });
  });
});
