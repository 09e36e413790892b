import * as fc from "fast-check";
import { expect, test } from "vitest";
import { Merchant } from "../merchant.ts";
import { transact, transactionsOf } from "./transactions.ts";
import { halfOf } from "../half-of.ts";

const METHODS = [
  "pm_card_approved",
  "pm_gcash",
  "pm_grab_pay",
  "pm_card_challenge",
  "pm_card_stolen",
  "pm_card_insufficient_funds",
  "pm_card_processor_unavailable",
  "pm_card_declines_renewals",
  "pm_card_recovers",
];

type Act = (merchant: Merchant) => Promise<unknown>;

const amount = fc.oneof(fc.integer({ min: 1, max: 3000 }), fc.integer({ min: 1, max: 99_999_999_999 }));
const method = fc.constantFrom(...METHODS);
/** Declines and refusals are part of the random world. */
const tolerate = async (call: Promise<unknown>): Promise<unknown> => call.catch(() => {});

const acts: fc.Arbitrary<Act> = fc.oneof(
  fc.tuple(amount, method).map(
    ([of, by]): Act =>
      async (merchant) =>
        tolerate(transact(merchant, { amount: of }, by)),
  ),
  fc.tuple(amount, method).map(
    ([of, by]): Act =>
      async (merchant) =>
        tolerate(merchant.sim.customer.pay((await merchant.createCheckout({ amount: of })).checkoutUrl, by)),
  ),
  fc.tuple(amount, method).map(([of, paymentMethodId]): Act => async (merchant) => {
    const { id } = await merchant.start({ amount: of });
    await tolerate(merchant.client.subscriptions.processPayment({ subscriptionId: id, paymentMethodId }));
  }),
  fc.nat(5).map((pick): Act => async ({ sim, client }) => {
    const subscriptions = sim.subscriptions.list();
    const subscription = subscriptions[pick % Math.max(1, subscriptions.length)];
    if (subscription !== undefined) await tolerate(client.subscriptions.cancel(subscription.id));
  }),
  fc.constantFrom("authenticate" as const, "failAuthentication" as const).map((answer): Act => async ({ sim }) => {
    const redirects = sim.journal.entries.flatMap(({ details }) =>
      [...JSON.stringify(details).matchAll(/ach_\w+/g)].map(([id]) => id),
    );
    const last = redirects.at(-1);
    if (last !== undefined) await tolerate(sim.customer[answer](`${sim.baseUrl}/authenticate/${last}`));
  }),
  fc.constantFrom("0 seconds", "1 hour", "1 day", "40 days").map(
    (span): Act =>
      async ({ sim }) =>
        sim.clock.advance(span),
  ),
);

test("in any world the ledger balances, and fee and net add up to what succeeded, to the centavo", async () => {
  const seen = { succeeded: 0, types: new Set<string>() };
  await fc.assert(
    fc.asyncProperty(fc.array(acts, { minLength: 5, maxLength: 20, size: "max" }), async (taken) => {
      const merchant = await Merchant.open({ assumptions: { "subscription.wallets": "allow" } });
      for (const act of taken) await act(merchant);
      const transactions = merchant.sim.transactions.list();
      for (const { status, amount: paid, fee, net } of transactions)
        expect([fee + net, fee >= 0, net >= 0]).toEqual([status === "succeeded" ? paid : 0, true, true]);

      const succeeded = transactions.filter(({ status }) => status === "succeeded");
      const sum = (of: "amount" | "net" | "fee"): number =>
        succeeded.reduce((total, transaction) => total + transaction[of], 0);
      const ledger = merchant.sim.ledger();
      expect(ledger.balance).toBe(0);
      expect(ledger.balances).toEqual({ customers: sum("amount"), merchant: 0 - sum("net"), fees: 0 - sum("fee") });
      expect(ledger.lines).toHaveLength(3 * succeeded.length);
      const lines = ledger.lines.reduce((total, line) => total + line.amount, 0);
      expect(lines).toBe(0);

      const listed = (await transactionsOf(merchant)).map(({ id }) => id);
      expect(listed).toEqual(transactions.map(({ id }) => id).toReversed());
      seen.succeeded += succeeded.length;
      for (const { type } of succeeded) seen.types.add(type);
    }),
    halfOf({ numRuns: 40, seed: 20_260_101 }),
  );
  expect(seen.succeeded).toBeGreaterThan(25);
  expect(seen.types).toEqual(new Set(["payment_intent", "checkout", "subscription"]));
});

test("a payment is in the ledger as what the customer paid, what the merchant is owed and what the service keeps", async () => {
  const merchant = await Merchant.open();
  const transactionId = await transact(merchant, { amount: 100_000 }, "pm_card_approved");
  expect(merchant.sim.ledger()).toEqual({
    currency: "PHP",
    lines: [],
    balances: { customers: 0, merchant: 0, fees: 0 },
    balance: 0,
  });
  await merchant.sim.clock.settle();
  expect(merchant.sim.ledger()).toEqual({
    currency: "PHP",
    lines: [
      { transactionId, account: "customers", amount: 100_000 },
      { transactionId, account: "merchant", amount: -95_000 },
      { transactionId, account: "fees", amount: -5000 },
    ],
    balances: { customers: 100_000, merchant: -95_000, fees: -5000 },
    balance: 0,
  });
});
