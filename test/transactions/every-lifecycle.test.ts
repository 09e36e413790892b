import { createSimulator } from "centavo";
import { expect, test } from "vitest";
import { everyStatus, makeOne } from "../fixtures/every-kind.ts";
import { Merchant } from "../merchant.ts";
import { transact } from "./transactions.ts";

const AMOUNT = 12_345;

test.for([
  ["payment intent", (merchant: Merchant) => transact(merchant, { amount: AMOUNT }, "pm_card_approved")],
  [
    "checkout session",
    async (merchant: Merchant) =>
      merchant.sim.customer.pay((await merchant.createCheckout({ amount: AMOUNT })).checkoutUrl, "pm_card_approved"),
  ],
] as const)("a %s is one transaction, and its amount is in the ledger", async ([, pay]) => {
  const merchant = await Merchant.open();
  await pay(merchant);
  await merchant.sim.clock.settle();
  expect(merchant.sim.transactions.list()).toMatchObject([{ amount: AMOUNT, status: "succeeded" }]);
  expect(merchant.sim.ledger().balances.customers).toBe(AMOUNT);
});

test.for(everyStatus)("by the time a $lifecycle is $status, only payment intents moved money", async (one) => {
  const sim = createSimulator();
  await makeOne(sim, one.maker, { status: one.status });
  const paid = sim.intents
    .list({ status: "succeeded" })
    .map(({ transactionId, amount }) => ({ id: transactionId, amount }));
  const told = sim.transactions.list({ status: "succeeded" }).map(({ id, amount }) => ({ id, amount }));
  expect(told).toHaveLength(paid.length);
  expect(told).toEqual(expect.arrayContaining(paid));
  expect(sim.ledger().balances.customers).toBe(paid.reduce((sum, { amount }) => sum + amount, 0));
});
