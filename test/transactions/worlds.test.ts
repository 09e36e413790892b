import { CentavoError } from "centavo";
import type { Simulator } from "centavo";
import { describe, expect, test } from "vitest";
import { Merchant } from "../merchant.ts";
import { refusedAs } from "../merchant/answers.ts";
import { order } from "../merchant/requests.ts";
import { transact, transactionsOf } from "./transactions.ts";

/** Some intents of two moments and a session, in several statuses. */
async function world(): Promise<Merchant> {
  const merchant = await Merchant.open();
  for (const method of ["pm_card_approved", undefined, "pm_card_stolen", "pm_gcash"]) {
    await transact(merchant, { externalId: "order-1", amount: 100 }, method);
    await transact(merchant, { amount: 200 }, method);
  }
  await merchant.createCheckout();
  await merchant.sim.clock.advance("1 minute");
  await transact(merchant, { externalId: "order-1" });
  return merchant;
}

/** What every kind of look-up finds. */
async function found(merchant: Merchant): Promise<unknown> {
  const { client } = merchant;
  return {
    all: await transactionsOf(merchant),
    byExternalId: await client.transactions.list({ external_id: "order-1", limit: 100 }),
    byStatus: await client.transactions.list({ status: "pending", limit: 100 }),
    byKind: await client.transactions.list({ paymentMethod: "gcash", limit: 100 }),
    byDate: await client.transactions.list({ dateTo: "2026-01-01T00:00:00Z", limit: 100 }),
    byAmount: await client.transactions.list({ amountMin: 150, amountMax: 250, limit: 100 }),
  };
}

async function live(merchant: Merchant): Promise<void> {
  await transact(merchant, { externalId: "order-1" }, "pm_card_lost");
  await merchant.sim.clock.advance("1 day");
}

describe("lists", () => {
  test("survive a restore, in this simulator and in another, through JSON", async () => {
    const merchant = await world();
    const before = await found(merchant);
    const kept = JSON.stringify(merchant.sim.snapshot());
    await live(merchant);
    expect(await found(merchant)).not.toEqual(before);
    merchant.sim.restore(JSON.parse(kept) as ReturnType<Simulator["snapshot"]>);
    expect(await found(merchant)).toEqual(before);

    const elsewhere = await Merchant.open();
    await transact(elsewhere);
    elsewhere.sim.restore(JSON.parse(kept) as ReturnType<Simulator["snapshot"]>);
    expect(await found(elsewhere)).toEqual(before);
    await elsewhere.sim.clock.advance("1 minute");
    const made = await transact(elsewhere);
    expect((await transactionsOf(elsewhere))[0]?.id).toBe(made);
  });

  test("of a fork start as its parent's and go their own way", async () => {
    const merchant = await world();
    const before = await found(merchant);
    const fork = await merchant.in(merchant.sim.fork());
    expect(await found(fork)).toEqual(before);
    const made = await transact(fork, { externalId: "order-1" });
    expect((await fork.client.transactions.list({ external_id: "order-1" })).items[0]?.id).toBe(made);
    expect(await found(merchant)).toEqual(before);
  });

  test.for([true, false])(
    "of a fork that pays at once go their own way, as do its parent's, listed before: %s",
    async (listed) => {
      const merchant = await world();
      if (listed) await found(merchant);
      const idsIn = ({ sim }: Merchant): string[] => sim.transactions.list().map(({ id }) => id);
      const old = idsIn(merchant);
      const fork = await merchant.in(merchant.sim.fork());
      const inFork = await transact(fork, {}, "pm_card_approved");
      const forkOfFork = await merchant.in(fork.sim.fork());
      const inParent = [await transact(merchant), await transact(merchant, {}, "pm_gcash")];
      const inForkOfFork = await transact(forkOfFork, { externalId: "order-1" });
      for (const [each, made] of [
        [merchant, inParent],
        [fork, [inFork]],
        [forkOfFork, [inFork, inForkOfFork]],
      ] as const) {
        expect(idsIn(each)).toEqual([...old, ...made]);
        expect((await transactionsOf(each)).map(({ id }) => id)).toEqual([...old, ...made].toReversed());
      }
      expect((await forkOfFork.client.transactions.list({ external_id: "order-1" })).items[0]?.id).toBe(inForkOfFork);
    },
  );

  test("are empty after a reset", async () => {
    const merchant = await world();
    merchant.sim.reset();
    expect((await merchant.client.transactions.list()).total).toBe(0);
    await transact(merchant);
    expect((await merchant.client.transactions.list()).total).toBe(1);
  });

  test("are as they were after an edited snapshot was refused", async () => {
    const merchant = await world();
    const before = await found(merchant);
    const snapshot = merchant.sim.snapshot();
    const { tables } = snapshot.world;
    const broken = {
      ...snapshot,
      world: { ...snapshot.world, tables: { ...tables, transactions: (tables["transactions"] ?? []).toReversed() } },
    };
    expect(() => merchant.sim.restore(broken)).toThrow(CentavoError);
    expect(await found(merchant)).toEqual(before);
  });

  test("have nothing of a call that was refused", async () => {
    const merchant = await Merchant.open({ assumptions: { "http.external-id": "refuse" } });
    await transact(merchant, { externalId: "order-1" });
    await expect(transact(merchant, { externalId: "order-1" })).rejects.toMatchObject({ code: "VALIDATION_ERROR" });
    refusedAs(await merchant.call("POST", "/api/checkout", order()), 400, "VALIDATION_ERROR");
    expect((await merchant.client.transactions.list()).total).toBe(1);
    const next = await transact(merchant);
    expect((await transactionsOf(merchant))[0]?.id).toBe(next);
  });
});
