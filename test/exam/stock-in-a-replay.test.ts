import { exam } from "centavo/exam";
import { expect, test } from "vitest";
import { tokenOf } from "../../src/exam/token.ts";
import { placed } from "./placed.ts";
import { openSmallShop } from "./small-shop.ts";
import type { Orders } from "./small-shop.ts";

interface Books {
  readonly orders: Orders;
  readonly stock: { books: number };
}

test("a replay judges the stock by what a sale without trouble takes", async () => {
  const flow = { name: "order approved", steps: [] };
  const verdict = await exam<Books>({
    open: (opening) => {
      const { orders, stock } = opening.store;
      const answer = openSmallShop({ ...opening, store: orders });
      return (request: Request) => {
        // It takes a book off the shelf for each click.
        if (new URL(request.url).pathname === "/orders") stock.books -= 1;
        return answer(request);
      };
    },
    store: { orders: new Map(), stock: { books: 5 } },
    acts: { order: ({ visit, id, method }) => visit("POST", "/orders", { id, method }) },
    books: ({ store: { orders, stock } }) => ({ orders: [...orders.values()], stock }),
    replay: tokenOf({ flow, troubles: [placed("act order 1", "back button")] }),
  });
  expect(verdict.failures.map(({ what }) => what)).toEqual([
    "2 of books are left, and 3 should be: there were 5, and order-1 and last-1 were fulfilled.",
  ]);
});
