import { exam } from "centavo/exam";
import type { Acts, ExamOptions } from "centavo/exam";
import { expect, test } from "vitest";
import { openSmallShop } from "./small-shop.ts";
import type { Orders } from "./small-shop.ts";

/** A shop whose customers choose the price and how many they order. It charges what the function returns, and holds what is ordered. */
function shopThat(
  charges: (amount: number) => number,
  hasLeft: (left: number, quantity: number) => boolean,
): ExamOptions<Orders> {
  const SHELF = 5;
  const left = (store: Orders): number => SHELF - [...store.values()].reduce((sum, { pieces = 1 }) => sum + pieces, 0);
  return {
    open: (opening) => {
      const shop = openSmallShop(opening);
      return async (request: Request): Promise<Response> => {
        if (new URL(request.url).pathname !== "/orders") return shop(request);
        const { id, amount, quantity } = (await request.clone().json()) as Record<"id", string> &
          Record<"amount" | "quantity", number>;
        const { store } = opening;
        if (!store.has(id)) {
          if (!hasLeft(left(store), quantity)) return new Response("Sold out.", { status: 409 });
          const price = charges(amount * quantity);
          store.set(id, { id, status: "pending", fulfilments: 0, amount: price, pieces: quantity });
        }
        return shop(request);
      };
    },
    acts: {
      order: ({ visit, id, method, amount, quantity }) => visit("POST", "/orders", { id, method, amount, quantity }),
    },
    books: ({ store }) => ({ orders: [...store.values()], stock: { piece: left(store) } }),
    jobs: [{ every: "10 minutes", run: ({ visit }) => visit("/jobs/refresh") }],
    laws: { "stock-freed": "off" },
  };
}

const enough = (left: number, quantity: number): boolean => left >= quantity;
const budget = { stories: 150, failures: 1 };

test("a shop that takes what its customers choose passes, and the exam has tried each value", async () => {
  const verdict = await exam({ ...shopThat((amount) => amount, enough), budget: { stories: 150 } });
  expect(verdict.failures, String(verdict)).toEqual([]);
  expect(Object.keys(verdict.coverage.troubles["act order"] ?? {})).toEqual(
    expect.arrayContaining(["price 19.99", "price 1129.90", "least price", "last of the stock", "more than the stock"]),
  );
});

test("a shop that cuts centavos off is found by a price that floats cannot hold", async () => {
  const { failures } = await exam({ ...shopThat((amount) => Math.floor((amount / 100) * 100), enough), budget });
  expect(failures[0]).toMatchObject({
    law: "paid-before-fulfilled",
    story: ["Ana orders order-1 with pm_card_approved.", "The price is ₱19.99."],
    what: "order-1 costs ₱19.99 and was fulfilled when ₱19.98 was paid.",
    misunderstanding: "19.99 times 100 is 1999.",
  });
});

test("a shop that sends parts of a centavo is found", async () => {
  const { failures } = await exam({ ...shopThat((amount) => (amount / 100) * 100, enough), budget });
  expect(failures[0]).toMatchObject({
    law: "good-card-is-served",
    what: "order-1 costs 1999 centavos, and the service answered 400 to the payment.",
  });
});

test("a shop that only asks whether anything is left is found by a customer who orders more", async () => {
  const { failures } = await exam({
    ...shopThat(
      (amount) => amount,
      (left) => left > 0,
    ),
    budget,
  });
  expect(failures[0]).toMatchObject({
    law: "never-oversold",
    story: ["Ana orders order-1 with pm_card_approved.", "That is one more than there is in stock."],
    what: "piece was oversold by 1.",
  });
});

test("values are the same in each story for acts that read none, and are not tried", async () => {
  const shop = shopThat((amount) => amount, enough);
  const order: Acts["order"] = ({ visit, id, method }) =>
    visit("POST", "/orders", { id, method, amount: 49_900, quantity: 1 });
  const { coverage } = await exam({ ...shop, acts: { order }, budget: { stories: 1 } });
  expect(coverage.notTried["act order"]).not.toContain("price 19.99");
  expect(coverage.notTried["act order"]).not.toContain("more than the stock");
});
