import { exam } from "centavo/exam";
import type { ExamOptions } from "centavo/exam";
import { expect, test } from "vitest";
import { examOfSmallShop, openSmallShop } from "../small-shop.ts";
import type { Orders } from "../small-shop.ts";
import { judge } from "./judge.ts";

const DAY = 86_400_000;

/** A shop that holds what customers order, for two days, and turns others away meanwhile. */
function holdingShop(stock: number, unitsOfAnOrder: number): ExamOptions<Orders> {
  const held = new Map<string, number>();
  const left = (orders: Orders, now: number): number =>
    stock -
    unitsOfAnOrder *
      [...orders.values()].filter(({ id, status }) => status === "paid" || now - (held.get(id) ?? now) < 2 * DAY)
        .length;
  return {
    ...examOfSmallShop(),
    open: (opening) => {
      const handler = openSmallShop(opening);
      const { store, now } = opening;
      return async (request: Request) => {
        if (new URL(request.url).pathname !== "/orders") return handler(request);
        const { id } = (await request.clone().json()) as { id: string };
        if (!store.has(id) && left(store, now().getTime()) < unitsOfAnOrder)
          return new Response("Sold out for now.", { status: 409 });
        held.set(id, now().getTime());
        return handler(request);
      };
    },
    books: ({ store }) => ({ orders: [...store.values()], stock: { book: left(store, Date.now()) } }),
  };
}

test("a shop that holds its last item for another customer loses no sale, though the item is free again later", async () => {
  const broken = await judge(holdingShop(1, 1), "order with the challenge left");
  expect(broken.filter((each) => each.startsWith("good-card-is-served"))).toEqual([]);
});

test("nor does a shop that has one item left where the customer wants two", async () => {
  const verdict = await exam({ ...holdingShop(3, 2), budget: { stories: 1 } });
  expect(verdict.failures, String(verdict)).toEqual([]);
});

test("a shop that turns customers away with enough on the shelf is found", async () => {
  const shop = holdingShop(4, 2);
  const broken = await judge(
    {
      ...shop,
      books: ({ store }) => ({ orders: [...store.values()], stock: { book: 3 } }),
      open: (opening) => {
        const handler = shop.open(opening) as (request: Request) => Promise<Response>;
        return (request: Request) =>
          new URL(request.url).pathname === "/orders" && opening.store.size > 0
            ? new Response("Sold out.", { status: 409 })
            : handler(request);
      },
    },
    "order approved",
  );
  expect(broken.filter((each) => each.startsWith("good-card-is-served"))).toHaveLength(1);
});
