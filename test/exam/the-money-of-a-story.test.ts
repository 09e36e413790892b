import { expect, test } from "vitest";
import type { ExamOptions } from "centavo/exam";
import { beginExam } from "../../src/exam/begin-exam.ts";
import { flowsOf } from "../../src/exam/flows.ts";
import { moneyOf } from "../../src/exam/money.ts";
import { readOptions } from "../../src/exam/read-options.ts";
import { runStory } from "../../src/exam/run-story.ts";
import type { Placed } from "./laws/judge.ts";
import { placed } from "./placed.ts";
import { examOfClub } from "./small-club.ts";
import { examOfSmallShop, openSmallShop } from "./small-shop.ts";
import type { Orders } from "./small-shop.ts";

async function moneyIn<Store>(given: ExamOptions<Store>, wanted: string, ...troubles: Placed[]) {
  const options = readOptions(given);
  const flow = flowsOf(options).find(({ name }) => name === wanted);
  if (flow === undefined) throw new Error(`There is no flow ${JSON.stringify(wanted)}.`);
  const end = await beginExam(options);
  try {
    const { evidence } = await runStory(options, { flow, troubles: troubles.map((each) => placed(...each)) });
    return moneyOf(evidence);
  } finally {
    await end();
  }
}

const last = { id: "last-1", currency: "PHP", payments: 1, isLast: true };
const shop = examOfSmallShop();
const refunding: ExamOptions<Orders> = {
  ...shop,
  books: ({ store }) => ({
    orders: [...store.values()].map((order) => Object.assign({}, order, { refunded: order.id === "order-1" })),
  }),
};

test("an order that is paid has paid what was expected", async () => {
  expect(await moneyIn(shop, "order approved")).toEqual([
    { id: "order-1", currency: "PHP", payments: 1, expected: 49_900, asked: 49_900, paid: 49_900, refunded: 0 },
    { ...last, expected: 49_900, asked: 49_900, paid: 49_900, refunded: 0 },
  ]);
});

test("an order that is declined was asked for, and is not paid", async () => {
  const [order] = await moneyIn(shop, "order declined at once");
  expect(order).toMatchObject({ expected: 49_900, asked: 49_900, paid: 0, refunded: 0 });
});

test("what the books call refunded is refunded", async () => {
  const [order] = await moneyIn(refunding, "order approved");
  expect(order).toMatchObject({ paid: 49_900, refunded: 49_900 });
});

test("a shop that asks twice has asked for twice the money", async () => {
  const twice: ExamOptions<Orders> = {
    ...shop,
    acts: {
      ...shop.acts,
      order: async ({ visit, id, method }) => {
        await visit("POST", "/orders", { id, method });
        return visit("POST", "/orders", { id, method });
      },
    },
    open: (opening) => {
      const orders = openSmallShop(opening, "no idempotency keys");
      return async (request: Request) => {
        for (const order of opening.store.values()) if (request.url.endsWith("/orders")) delete order.intent;
        return orders(request);
      };
    },
  };
  const [order] = await moneyIn(twice, "order approved");
  expect(order).toMatchObject({ payments: 2, expected: 49_900, asked: 99_800 });
});

test("a membership is expected to pay its invoices, and no books tell its refunds", async () => {
  const [member] = await moneyIn(examOfClub(), "join approved");
  expect(member).toMatchObject({ id: "member-1", expected: member?.paid });
  expect(member?.paid).toBeGreaterThan(0);
  expect(member).not.toHaveProperty("refunded");
});
