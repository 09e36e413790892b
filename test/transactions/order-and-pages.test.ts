import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { Merchant } from "../merchant.ts";
import { transact, transactionsOf } from "./transactions.ts";

describe("a list", () => {
  test("is newest first; items of the same moment come in reverse order of creation, whatever their ids", async () => {
    const merchant = await Merchant.open();
    const made: string[] = [];
    for (let index = 0; index < 12; index += 1) {
      if (index % 4 === 3) await merchant.sim.clock.advance("1 second");
      made.push(await transact(merchant));
    }
    const listed = (await transactionsOf(merchant)).map(({ id }) => id);
    expect(listed).toEqual(made.toReversed());
    expect(listed).not.toEqual(listed.toSorted());
    expect(merchant.sim.transactions.list().map(({ id }) => id)).toEqual(made);
  });

  test("keeps its order when what was made earlier changes", async () => {
    const merchant = await Merchant.open();
    const made = [
      await transact(merchant, {}, "pm_card_challenge"),
      await transact(merchant),
      await transact(merchant),
    ];
    await merchant.sim.clock.advance("2 hours");
    expect((await transactionsOf(merchant)).map(({ id }) => id)).toEqual(made.toReversed());
  });

  test.for([
    { limit: 2, offset: 0, items: 2, hasMore: true },
    { limit: 2, offset: 2, items: 2, hasMore: true },
    { limit: 2, offset: 3, items: 2, hasMore: false },
    { limit: 2, offset: 4, items: 1, hasMore: false },
    { limit: 2, offset: 5, items: 0, hasMore: false },
    { limit: 5, offset: 0, items: 5, hasMore: false },
    { limit: 4, offset: 0, items: 4, hasMore: true },
  ])("of 5 says with limit $limit and offset $offset whether more is there", async ({ items, hasMore, ...page }) => {
    const merchant = await Merchant.open();
    for (let index = 0; index < 5; index += 1) await merchant.createCheckout();
    const { client } = merchant;
    for (const list of [await client.transactions.list(page), await client.transactions.listPaymentSessions(page)]) {
      expect(list).toMatchObject({ total: 5, ...page, hasMore });
      expect(list.items).toHaveLength(items);
    }
  });

  test("has 10 items by default", async () => {
    const merchant = await Merchant.open();
    for (let index = 0; index < 11; index += 1) await merchant.createCheckout();
    const { client } = merchant;
    for (const list of [await client.transactions.list(), await client.transactions.listPaymentSessions()]) {
      expect(list).toMatchObject({ total: 11, limit: 10, offset: 0, hasMore: true });
      expect(list.items).toHaveLength(10);
    }
  });

  test("is empty when there are no payments", async () => {
    const { client } = await Merchant.open();
    expect(await client.transactions.list()).toEqual({ items: [], total: 0, limit: 10, offset: 0, hasMore: false });
  });
});

test("pages with a dateTo in the past lose and repeat nothing, even if payments are made in between", async () => {
  const rounds = fc.array(fc.record({ made: fc.nat(3), milliseconds: fc.integer({ min: 1, max: 5000 }) }), {
    minLength: 1,
    maxLength: 8,
  });
  await fc.assert(
    fc.asyncProperty(fc.integer({ min: 1, max: 5 }), rounds, rounds, async (limit, before, between) => {
      const merchant = await Merchant.open();
      const live = async ({ made, milliseconds }: { made: number; milliseconds: number }): Promise<void> => {
        for (let index = 0; index < made; index += 1)
          await transact(merchant, {}, index === 1 ? "pm_card_stolen" : undefined);
        await merchant.sim.clock.advance({ milliseconds });
      };
      for (const round of before) await live(round);
      const expected = (await transactionsOf(merchant)).map(({ id }) => id);
      const dateTo = new Date(Date.parse(merchant.sim.clock.now()) - 1).toISOString();
      const seen: string[] = [];
      for (let turn = 0, hasMore = true; hasMore; turn += 1) {
        const page = await merchant.client.transactions.list({ dateTo, limit, offset: seen.length });
        expect(page.total).toBe(expected.length);
        seen.push(...page.items.map(({ id }) => id));
        ({ hasMore } = page);
        await live(between[turn % between.length] ?? { made: 1, milliseconds: 1 });
      }
      expect(seen).toEqual(expected);
    }),
    { numRuns: 40, seed: 20_260_101 },
  );
});

test("every filter finds the same records as a full scan", async () => {
  const merchant = await Merchant.open();
  const methods = [undefined, "pm_card_approved", "pm_card_stolen", "pm_gcash", "pm_card_challenge"];
  for (let index = 0; index < 70; index += 1) {
    await transact(
      merchant,
      { amount: 1 + (index % 9), externalId: `order-${index % 4}` },
      methods[index % methods.length],
    );
    if (index % 3 === 0) await merchant.sim.clock.advance("40 minutes");
  }
  const all = merchant.sim.transactions.list().toReversed();
  const optional = <Value>(of: fc.Arbitrary<Value>): fc.Arbitrary<Value | undefined> =>
    fc.option(of, { nil: undefined });
  const moment = fc.constantFrom(...new Set(all.map(({ createdAt }) => createdAt)));
  const query = fc.record({
    status: optional(fc.constantFrom("pending", "processing", "succeeded", "failed", "canceled")),
    paymentMethod: optional(fc.constantFrom("card", "gcash", "grab_pay")),
    external_id: optional(fc.constantFrom("order-0", "order-1", "order-9")),
    dates: optional(fc.tuple(moment, moment)),
    amounts: optional(fc.tuple(fc.nat(10), fc.nat(10))),
    limit: fc.integer({ min: 1, max: 100 }),
    offset: fc.nat(75),
  });
  await fc.assert(
    fc.asyncProperty(query, async ({ dates, amounts, limit, offset, ...rest }) => {
      const [dateFrom = "", dateTo = "~"] = dates?.toSorted() ?? [];
      const [amountMin = 0, amountMax = Infinity] = amounts?.toSorted((left, right) => left - right) ?? [];
      const expected = all.filter(
        ({ status, paymentMethod, externalId, createdAt, amount }) =>
          (rest.status ?? status) === status &&
          (rest.paymentMethod === undefined || rest.paymentMethod === paymentMethod?.type) &&
          (rest.external_id ?? externalId) === externalId &&
          createdAt >= dateFrom &&
          createdAt <= dateTo &&
          amount >= amountMin &&
          amount <= amountMax,
      );
      const found = await merchant.client.transactions.list({
        ...Object.fromEntries(Object.entries(rest).filter(([, value]) => value !== undefined)),
        ...(dates === undefined ? {} : { dateFrom, dateTo }),
        ...(amounts === undefined ? {} : { amountMin, amountMax }),
        limit,
        offset,
      });
      expect(found.total).toBe(expected.length);
      expect(found.items).toEqual(expected.slice(offset, offset + limit));
    }),
    { numRuns: 300, seed: 20_260_101 },
  );
});
