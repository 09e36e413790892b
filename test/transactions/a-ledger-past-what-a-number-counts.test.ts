import { createSimulator } from "centavo";
import type { Simulator } from "centavo";
import { expect, test } from "vitest";
import { Merchant } from "../merchant.ts";

const LARGEST = 99_999_999_999;

/** A bounded world that has already forgotten payments of `amount` centavos in all. */
async function worldThatForgot(amount: number): Promise<Merchant> {
  const sim = createSimulator({ keep: 1 });
  const snapshot = sim.snapshot();
  const { world } = snapshot;
  const tables = { ...world.tables, "brought-forward": [["PHP", { amount: String(amount), fee: "0" }]] as const };
  sim.restore({ ...snapshot, world: { ...world, tables } }, { edited: true });
  return Merchant.of(sim);
}

async function pay(merchant: Merchant, count: number): Promise<void> {
  for (let index = 0; index < count; index += 1) {
    await merchant.pay({ amount: LARGEST }, "pm_card_approved");
    await merchant.sim.clock.settle();
  }
}

function succeeded(sim: Simulator): number {
  return sim.transactions.list().filter(({ status }) => status === "succeeded").length;
}

test("the ledger counts up to the largest whole number that is exact", async () => {
  const merchant = await worldThatForgot(Number.MAX_SAFE_INTEGER - LARGEST);
  await pay(merchant, 1);
  const { balances, balance } = merchant.sim.ledger();
  expect([balances.customers, balances.merchant + balances.fees, balance]).toEqual([
    Number.MAX_SAFE_INTEGER,
    -Number.MAX_SAFE_INTEGER,
    0,
  ]);
});

test("a ledger that a number cannot count is refused with its exact sum, also once payments were forgotten", async () => {
  const merchant = await worldThatForgot(Number.MAX_SAFE_INTEGER);
  await pay(merchant, 1);
  const refused = (count: number): unknown =>
    expect.objectContaining({
      code: "INVALID_STATE",
      message: expect.stringContaining(
        `customers has ${BigInt(Number.MAX_SAFE_INTEGER) + BigInt(count) * BigInt(LARGEST)} of the smallest unit`,
      ) as string,
    });
  expect(() => merchant.sim.ledger()).toThrow(refused(1));
  await pay(merchant, 101);
  expect(succeeded(merchant.sim)).toBeLessThan(102);
  expect(() => merchant.sim.ledger()).toThrow(refused(102));
  merchant.sim.restore(merchant.sim.snapshot());
  expect(() => merchant.sim.ledger()).toThrow(refused(102));
});
