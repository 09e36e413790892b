import { expect, test } from "vitest";
import type { ExamOptions } from "centavo/exam";
import shop from "../../../examples/express-shop/shop.exam.ts";
import { saysPaid } from "../../../src/exam/laws/status-words.ts";
import { openSmallShop } from "../small-shop.ts";
import type { Orders } from "../small-shop.ts";
import { judge } from "./judge.ts";

const examOfShop = (word: (status: string) => string, idOf = (id: string) => id): ExamOptions<Orders> => ({
  open: (opening) => openSmallShop(opening),
  acts: { order: ({ visit, id, method }) => visit("POST", "/orders", { id, method }) },
  books: ({ store }) => ({
    orders: [...store.values()].map(({ id, status, fulfilments, amount }) => ({
      id: idOf(id),
      status: word(status),
      fulfilments,
      amount,
    })),
  }),
  jobs: [{ every: "10 minutes", run: ({ visit }) => visit("/jobs/refresh") }],
});

test("the words of shops for paid and unpaid orders are told apart, and others are not judged", () => {
  for (const word of ["paid", "PAID", "Fulfilled", "shipped", "completed", "payment_succeeded", "pagado", "bayad na"])
    expect(saysPaid(word), word).toBe(true);
  for (const word of [
    "pending",
    "unpaid",
    "awaiting_payment",
    "payment_failed",
    "cancelled",
    "not paid",
    "refunded",
    "requires_action",
  ])
    expect(saysPaid(word), word).toBe(false);
  for (const word of ["rosa", "7", ""]) expect(saysPaid(word), word).toBeUndefined();
});

test("an order that is pending in the books although it was paid breaks status-agrees", async () => {
  expect(
    await judge(
      examOfShop(() => "pending"),
      "order, approved",
    ),
  ).toEqual(["status-agrees: order-1 is pending, although ₱499.00 was paid."]);
});

test("an order whose status is a word of the shop's own is not accused", async () => {
  expect(
    await judge(
      examOfShop(() => "rosa"),
      "order, approved",
    ),
  ).toEqual([]);
});

test("orders under ids of the shop's own are not judged", async () => {
  expect(
    await judge(
      examOfShop(
        (word) => word,
        (id) => `shop-${id}`,
      ),
      "order, approved",
    ),
  ).toEqual([]);
});

test("an order under the id of a membership is not paid by that membership's invoices", async () => {
  const alarms = await judge(shop, "join, renewal declined, then another card", [
    "act changeCard 1",
    "pays again with another card",
  ]);
  expect(alarms.filter((alarm) => !alarm.startsWith("stock-freed"))).toEqual([]);
});
