import { createSimulator } from "centavo";
import type { Simulator } from "centavo";
import { createClient } from "centavo/client";
import type { Client } from "centavo/client";
import { describe, expect, test } from "vitest";
import { inEnglish } from "../../src/kit/base/errors/english.ts";
import { createCheckoutBody } from "../../src/service/schemas/checkout.ts";
import { AMOUNT_TOO_SMALL } from "../../src/service/fields.ts";
import { limits } from "./errors.ts";

function service(): { sim: Simulator; client: Client } {
  const sim = createSimulator();
  return { sim, client: createClient({ baseUrl: sim.baseUrl, fetch: sim.fetch, ...sim.credentials }) };
}

async function subscriptionOf({ client }: { client: Client }): Promise<string> {
  const plan = await client.plans.create({ name: "Coffee club", amount: 49_900, interval: "month" });
  const contact = { name: "Ana Cruz", email: "ana@customer.example" };
  return (await client.subscriptions.initiate({ planId: plan.id, contact })).id;
}

const checks: Readonly<Record<string, () => Promise<void> | void>> = {
  "Checkout amount": () => {
    const problemOf = (amount: number): string | undefined =>
      createCheckoutBody.shape.amount.safeParse(amount, inEnglish).error?.issues[0]?.message;
    expect([0, -1, 0.5, -1.5, 1.5, 1].map(problemOf)).toEqual([
      AMOUNT_TOO_SMALL,
      AMOUNT_TOO_SMALL,
      AMOUNT_TOO_SMALL,
      AMOUNT_TOO_SMALL,
      "it takes a whole number",
      undefined,
    ]);
  },
  "Transactions page size": async () => {
    const { client } = service();
    const sizeOf = async (limit?: number): Promise<number | string> =>
      client.transactions.list(limit === undefined ? {} : { limit }).then(
        (page) => page.limit,
        (error: { code: string }) => error.code,
      );
    const sizes = [await sizeOf(0), await sizeOf(1), await sizeOf(), await sizeOf(100), await sizeOf(101)];
    expect(sizes).toEqual(["VALIDATION_ERROR", 1, 10, 100, "VALIDATION_ERROR"]);
  },
  "Unpaid subscription auto-cancellation": async () => {
    const { sim, client } = service();
    const id = await subscriptionOf({ client });
    await sim.clock.advance({ hours: 23, minutes: 59, seconds: 59, milliseconds: 999 });
    expect(sim.subscriptions.get(id)?.status).toBe("incomplete");
    await sim.clock.advance("1 millisecond");
    expect(sim.subscriptions.get(id)?.status).toBe("incomplete_cancelled");
  },
  "Payment retries before unpaid": async () => {
    const { sim, client } = service();
    const subscriptionId = await subscriptionOf({ client });
    await client.subscriptions.processPayment({ subscriptionId, paymentMethodId: "pm_card_declines_renewals" });
    await sim.clock.advanceUntil(() => sim.subscriptions.get(subscriptionId)?.status === "unpaid");
    // The first attempt and the retries.
    expect(sim.invoices.last()?.attemptCount).toBe(1 + 3);
  },
};

describe("the limits of the conformance table", () => {
  test.for(Object.keys(checks))("%s", async (limit) => {
    await checks[limit]?.();
  });

  test("have a check or an assumption each", () => {
    const supported = limits.filter(({ verdict }) => verdict === "supported");
    expect(supported.map(({ limit }) => limit).toSorted()).toEqual(Object.keys(checks).toSorted());
  });
});
