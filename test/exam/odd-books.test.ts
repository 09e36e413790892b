import { exam } from "centavo/exam";
import type { Books, ExamOptions, OrderInBooks } from "centavo/exam";
import { expect, test } from "vitest";
import { examOfSmallShop, openSmallShop } from "./small-shop.ts";
import type { Order, Orders } from "./small-shop.ts";
import { judge } from "./laws/judge.ts";

const examWith = (books: (orders: readonly Order[]) => unknown, more: Partial<ExamOptions<Orders>> = {}) => ({
  ...examOfSmallShop(),
  books: ({ store }: { store: Orders }) => books([...store.values()]) as Books,
  ...more,
});

test.for<[name: string, field: object, message: string]>([
  ["a price that is text", { amount: "49900" }, 'amount as "49900". It takes its price as a number of centavos.'],
  ["a price without an end", { amount: Infinity }, "amount as Infinity. It takes its price as a number of centavos."],
])("the exam refuses books with %s", async ([, field, message]) => {
  const shop = examWith((orders) => ({ orders: orders.map((order) => Object.assign({}, order, field)) }));
  await expect(exam({ ...shop, budget: { stories: 1 } })).rejects.toThrow(`exam: books returned orders[0].${message}`);
});

test.for<[name: string, stock: unknown]>([
  ["a Map, which seems to have no items", new Map([["book", -1]])],
  ["a list", [5]],
  ["what was never a number", { book: Number.NaN }],
])("the exam refuses a stock that is %s", async ([, stock]) => {
  await expect(exam({ ...examWith((orders) => ({ orders, stock })), budget: { stories: 1 } })).rejects.toThrow(
    "exam: books returned stock as",
  );
});

test("a plan that is no text is refused", async () => {
  const shop = examWith((orders) => ({ memberships: orders.map(({ id }) => ({ id, hasAccess: false, plan: 3 })) }));
  await expect(exam({ ...shop, budget: { stories: 1 } })).rejects.toThrow(
    "exam: books returned memberships[0].plan as 3. It takes text.",
  );
});

test("an order may have null in a field that it may leave out", async () => {
  const shop = examWith((orders) => ({ orders: orders.map((order) => Object.assign({}, order, { refunded: null })) }));
  expect(await judge(shop, "order approved")).toEqual([]);
});

test("a shop may keep a row for each attempt to pay", async () => {
  const cancelled = (order: Order): OrderInBooks => ({ ...order, status: "cancelled", fulfilments: 0 });
  const shop = examWith((orders) => ({ orders: orders.flatMap((order) => [cancelled(order), order]) }));
  expect(await judge(shop, "order approved")).toEqual([]);
});

test("an order that is fulfilled in two rows is fulfilled twice", async () => {
  const shop = examWith((orders) => ({ orders: orders.flatMap((order) => [order, order]) }));
  expect(await judge(shop, "order approved")).toContain("fulfilled-once: order-1 was fulfilled 2 times.");
});

test("an order that was shipped in two parcels before the exam breaks no law", async () => {
  const old: Order = { id: "old", status: "paid", fulfilments: 2, amount: 100 };
  const shop = examWith((orders) => ({ orders }), { store: new Map([[old.id, old]]), open: openSmallShop });
  expect(await judge(shop, "order approved")).toEqual([]);
});
