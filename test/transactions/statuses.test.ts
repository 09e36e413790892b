import type { SimulatorOptions } from "centavo";
import { describe, expect, test } from "vitest";
import { Merchant } from "../merchant.ts";
import { transact, transactionsOf } from "./transactions.ts";

type Act = (merchant: Merchant) => Promise<unknown>;

const confirmed = (method: string, ...then: readonly Act[]): Act[] => [
  async (merchant) => transact(merchant, {}, method),
  ...then,
];
const processed = (method: string, ...then: readonly Act[]): Act[] => [
  async (merchant) =>
    merchant.client.checkout
      .process((await merchant.createCheckout()).sessionToken, { paymentMethodId: method })
      .catch(() => {}),
  ...then,
];
const settle: Act = async ({ sim }) => sim.clock.settle();
const cancelIntent: Act = async ({ sim }) => sim.intents.cancel(sim.intents.last()?.id ?? "");
const cancelSession: Act = async (merchant) =>
  merchant.sim.customer.cancel((await merchant.createCheckout()).checkoutUrl);
const oneDay: Act = async ({ sim }) => sim.clock.advance("1 day");

const cases: readonly {
  readonly what: string;
  readonly acts: readonly Act[];
  readonly status: string;
  readonly kind?: string;
  readonly options?: SimulatorOptions;
}[] = [
  { what: "an intent that was made", acts: [async (merchant) => transact(merchant)], status: "pending" },
  {
    what: "an intent whose challenge is open",
    acts: confirmed("pm_card_challenge"),
    status: "pending",
    kind: "card",
  },
  { what: "an intent in processing", acts: confirmed("pm_card_approved"), status: "processing", kind: "card" },
  { what: "a paid intent", acts: confirmed("pm_card_approved", settle), status: "succeeded", kind: "card" },
  { what: "a declined intent", acts: confirmed("pm_card_stolen", settle), status: "failed", kind: "card" },
  {
    what: "an intent whose wallet page timed out",
    acts: confirmed("pm_gcash", oneDay),
    status: "failed",
    kind: "gcash",
  },
  {
    what: "an intent canceled by the back office",
    acts: confirmed("pm_grab_pay", cancelIntent),
    status: "canceled",
    kind: "grab_pay",
  },
  { what: "a session that was made", acts: [async (merchant) => merchant.createCheckout()], status: "pending" },
  { what: "a session whose challenge is open", acts: processed("pm_gcash"), status: "processing", kind: "gcash" },
  { what: "a paid session", acts: processed("pm_card_approved", settle), status: "succeeded", kind: "card" },
  { what: "a declined session", acts: processed("pm_card_lost", settle), status: "failed", kind: "card" },
  {
    what: "a session declined at once",
    acts: processed("pm_card_insufficient_funds"),
    status: "failed",
    kind: "card",
  },
  { what: "a session that the customer canceled", acts: [cancelSession], status: "canceled" },
  { what: "an expired session", acts: [async (merchant) => merchant.createCheckout(), oneDay], status: "expired" },
  {
    what: "a session that expired with its challenge open",
    acts: processed("pm_card_challenge", oneDay),
    status: "expired",
    kind: "card",
    options: { assumptions: { "checkout.lifetime": "10 minutes" } },
  },
  {
    what: "a declined session that may be tried again",
    acts: processed("pm_card_lost", settle),
    status: "pending",
    options: { assumptions: { "checkout.retry": 1 } },
  },
  {
    what: "a session declined at once that may be tried again",
    acts: processed("pm_card_insufficient_funds"),
    status: "pending",
    options: { assumptions: { "checkout.retry": 1 } },
  },
];

describe.for(cases)("the transaction of $what", ({ acts, status, kind, options }) => {
  test(`is ${status}, and is found only by that status and by its kind of method`, async () => {
    const merchant = await Merchant.open(options);
    for (const act of acts) await act(merchant);
    const [transaction, ...others] = await transactionsOf(merchant);
    expect(others).toEqual([]);
    expect(transaction).toMatchObject({ status });
    expect(transaction?.paymentMethod?.type).toBe(kind);
    const statuses = ["pending", "processing", "succeeded", "failed", "canceled", "expired"] as const;
    for (const each of statuses)
      expect((await merchant.client.transactions.list({ status: each })).total, each).toBe(each === status ? 1 : 0);
    for (const each of ["card", "gcash", "grab_pay"] as const)
      expect((await merchant.client.transactions.list({ paymentMethod: each })).total, each).toBe(
        each === kind ? 1 : 0,
      );
  });
});
