import { expect, test } from "vitest";
import { paymentService } from "../../src/service/service.ts";
import { Merchant } from "../merchant.ts";
import { transact } from "./transactions.ts";

const AMOUNT = 12_345;

/** A payment by each lifecycle that makes transactions. */
const payments: Readonly<Record<string, (merchant: Merchant) => Promise<unknown>>> = {
  payment_intent: (merchant) => transact(merchant, { amount: AMOUNT }, "pm_card_approved"),
  checkout: async (merchant) =>
    merchant.sim.customer.pay((await merchant.createCheckout({ amount: AMOUNT })).checkoutUrl, "pm_card_approved"),
};

/** Lifecycles that move no money themselves, and why. */
const others: Readonly<Record<string, string>> = {
  subscription: "its invoices are paid",
  invoice: "each attempt to pay it is a payment intent",
};

test("every lifecycle is known to transactions and ledger, or moves no money itself", () => {
  const names = paymentService.resources.flatMap(({ lifecycles }) => lifecycles.map(({ lifecycle }) => lifecycle.name));
  expect(names.toSorted()).toEqual([...Object.keys(payments), ...Object.keys(others)].toSorted());
});

test.for(Object.entries(payments))("a %s is one transaction, and its amount is in the ledger", async ([, pay]) => {
  const merchant = await Merchant.open();
  await pay(merchant);
  await merchant.sim.clock.settle();
  expect(merchant.sim.transactions.list()).toMatchObject([{ amount: AMOUNT, status: "succeeded" }]);
  expect(merchant.sim.ledger().balances.customers).toBe(AMOUNT);
});
