import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { feeOf } from "../../src/service/payment-methods/charge.ts";
import { Merchant } from "../merchant.ts";

// The same cases on every run; a failure prints how to replay it.
fc.configureGlobal({ seed: 20260101 });

const rates = {
  card: { percent: 3.5, fixed: 1500 },
  gcash: { percent: 2.5, fixed: 0 },
  grab_pay: { percent: 2.2, fixed: 0 },
};
const amounts = fc.integer({ min: 1, max: 99_999_999_999 });

/** The share per thousand of an amount by long division in whole numbers, rounded half up. */
function roundedHalfUp(amount: bigint, perThousand: bigint): bigint {
  const product = amount * perThousand;
  return product / 1000n + (product % 1000n >= 500n ? 1n : 0n);
}

describe("the fee", () => {
  test("is rounded half up and never above the amount, for every amount and kind", () => {
    fc.assert(
      fc.property(amounts, fc.constantFrom("card", "gcash", "grab_pay"), (amount, kind) => {
        const perThousand = { card: 35n, gcash: 25n, grab_pay: 22n }[kind];
        const exact = Number(roundedHalfUp(BigInt(amount), perThousand)) + rates[kind].fixed;
        expect(feeOf(amount, kind, rates)).toBe(Math.min(amount, exact));
      }),
      {
        examples: [
          [1, "card"],
          [1555, "card"],
          [20, "gcash"],
          [250, "grab_pay"],
          [99_999_999_999, "card"],
        ],
      },
    );
  });

  test.each([
    [20, "gcash", 1],
    [19, "gcash", 0],
    [25, "grab_pay", 1],
    [22, "grab_pay", 0],
    [1000, "card", 1000],
    [1554, "card", 1554],
    [1555, "card", 1554],
    [10_000, "card", 1850],
    [9_999_900, "card", 351_497],
  ] as const)("of %i centavos by %s is %i", (amount, kind, fee) => {
    expect(feeOf(amount, kind, rates)).toBe(fee);
  });

  test("is 0 until the method is known, and stays what it was then", async () => {
    const merchant = await Merchant.open();
    const { id, fee } = await merchant.createIntent();
    expect([fee, merchant.sim.intents.get(id)?.fee]).toEqual([0, 0]);
    await merchant.confirm(id, "gcash");
    expect(merchant.sim.intents.get(id)?.fee).toBe(250);
    await merchant.sim.clock.advance("1 day");
    expect(merchant.sim.intents.get(id)).toMatchObject({ status: "failed", fee: 250 });
  });

  test("takes other rates from intent.fee", async () => {
    const card = { percent: 1.25, fixed: 7 };
    const merchant = await Merchant.open({ assumptions: { "intent.fee": { ...rates, card } } });
    const { id } = await merchant.createIntent();
    await merchant.confirm(id, "card");
    expect(merchant.sim.intents.get(id)?.fee).toBe(132);
  });
});
