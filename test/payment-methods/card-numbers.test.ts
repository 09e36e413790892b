import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { passesLuhn } from "../../src/kit/base/redaction/card-number.ts";
import { Merchant } from "../merchant.ts";
import { ok } from "../merchant/answers.ts";
import { cardWith } from "../merchant/requests.ts";

// The same cases on every run; a failure prints how to replay it.
fc.configureGlobal({ seed: 20260101 });

describe("a card number that no test card has", () => {
  test.each([
    ["4242424242424242", "visa", "4242"],
    ["5105 1051 0510 5100", "mastercard", "5100"],
    ["3782-822463-10005", "amex", "0005"],
    ["3530111333300000", "jcb", "0000"],
    ["6011111111111117", "unknown", "1117"],
    ["4222222222222", "visa", "2222"],
  ])("%s is approved when it passes the Luhn check", async (number, brand, last4) => {
    const merchant = await Merchant.open();
    const { id } = await merchant.createIntent();
    ok(await merchant.confirm(id, { paymentMethod: "card", creditCardDetails: cardWith(number) }));
    await merchant.sim.clock.settle();
    expect(merchant.sim.intents.get(id)).toMatchObject({ status: "succeeded", paymentMethod: { brand, last4 } });
  });

  test.each(["4242424242424241", "1234", "0", "42424242424242424242"])(
    "%s is PAYMENT_METHOD_INVALID, and leaves the intent as it was",
    async (number) => {
      const merchant = await Merchant.open();
      const { id } = await merchant.createIntent();
      const answer = await merchant.confirm(id, { paymentMethod: "card", creditCardDetails: cardWith(number) });
      expect(answer).toMatchObject({
        status: 400,
        body: { success: false, code: "PAYMENT_METHOD_INVALID", errors: [] },
      });
      expect(merchant.sim.intents.get(id)).toMatchObject({ status: "requires_payment_method" });
      expect(merchant.sim.intents.get(id)).not.toHaveProperty("paymentMethod");
    },
  );

  test("that is not a number is a validation error", async () => {
    const merchant = await Merchant.open();
    const { id } = await merchant.createIntent();
    const answer = await merchant.confirm(id, { paymentMethod: "card", creditCardDetails: cardWith("my card") });
    expect(answer).toMatchObject({
      status: 400,
      body: { code: "VALIDATION_ERROR", errors: [{ path: "creditCardDetails.cardNumber" }] },
    });
  });
});

describe("the Luhn check", () => {
  const digits = fc.array(fc.integer({ min: 0, max: 9 }), { minLength: 12, maxLength: 18 });

  test("is passed by exactly one check digit", () => {
    fc.assert(
      fc.property(digits, (number) => {
        const passing = [0, 1, 2, 3, 4, 5, 6, 7, 8, 9].filter((check) => passesLuhn([...number, check].join("")));
        expect(passing).toHaveLength(1);
      }),
    );
  });

  test("notices every single wrong digit", () => {
    fc.assert(
      fc.property(digits, fc.nat(11), fc.integer({ min: 1, max: 9 }), (number, position, difference) => {
        const check = [0, 1, 2, 3, 4, 5, 6, 7, 8, 9].find((digit) => passesLuhn([...number, digit].join("")));
        const wrong = number.with(position, ((number[position] ?? 0) + difference) % 10);
        expect(passesLuhn([...wrong, check].join(""))).toBe(false);
      }),
    );
  });
});

describe("a raw card number in the place of a payment method id", () => {
  test.each([
    ["paymentMethodId", "4343434343434345"],
    ["paymentMethod", "4343 4343 4343 4345"],
  ])("as %s is PAYMENT_METHOD_INVALID, says where it belongs, and is written nowhere", async (field, number) => {
    const merchant = await Merchant.open();
    const { id } = await merchant.createIntent();
    const answer = await merchant.confirm(id, { [field]: number });
    expect(answer).toMatchObject({
      status: 400,
      body: {
        code: "PAYMENT_METHOD_INVALID",
        message: "A card number is not a payment method id; send it as creditCardDetails",
      },
    });
    expect(merchant.sim.intents.get(id)).toMatchObject({ status: "requires_payment_method" });
    expect(JSON.stringify([answer.body, merchant.sim.snapshot()])).not.toContain(number);
  });

  test.each(["pm_unknown", "paymaya", "__proto__", "constructor", "toString"])(
    "an unknown id such as %s is PAYMENT_METHOD_INVALID too",
    async (method) => {
      const merchant = await Merchant.open();
      const { id } = await merchant.createIntent();
      expect(await merchant.confirm(id, method)).toMatchObject({
        status: 400,
        body: { code: "PAYMENT_METHOD_INVALID" },
      });
    },
  );
});
