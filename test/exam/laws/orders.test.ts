import { expect, test } from "vitest";
import type { ExamOptions } from "centavo/exam";
import shop from "../../../examples/express-shop/shop.exam.ts";
import { saysPaid } from "../../../src/exam/laws/status-words.ts";
import { examOfSmallShop, openSmallShop } from "../small-shop.ts";
import type { Orders } from "../small-shop.ts";
import { ticketOffice } from "../honest/ticket-office.ts";
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
  for (const word of ["rosa", "7", "", "received", "confirmed", "Closed", "active", "open", "processing"])
    expect(saysPaid(word), word).toBeUndefined();
});

test("an order that is pending in the books although it was paid breaks status-agrees", async () => {
  expect(
    await judge(
      examOfShop(() => "pending"),
      "order approved",
    ),
  ).toEqual(["status-agrees: order-1 is pending, although ₱499.00 was paid."]);
});

test.for(["received", "confirmed", "closed", "active"])(
  "an order that nobody paid may be %s, as shops use the word for both",
  async (word) => {
    const examined = examOfShop((status) => (status === "paid" ? status : word));
    expect(await judge(examined, "order declined at once")).toEqual([]);
  },
);

test("an order that was paid and shipped may be processing", async () => {
  const examined = examOfShop((status) => (status === "paid" ? "processing" : status));
  expect(await judge(examined, "order approved")).toEqual([]);
});

const dropsTheChallenge =
  (isSaid: boolean) =>
  (handler: (request: Request) => Promise<Response>) =>
  async (request: Request): Promise<Response> => {
    const answer = await handler(request);
    if (!request.url.endsWith("/orders")) return answer;
    const { next, ...order } = (await answer.json()) as { next?: string };
    return Response.json(order, { status: next !== undefined && isSaid ? 402 : 200 });
  };

test("a shop that takes a challenge for a failure breaks led-to-the-challenge", async () => {
  const examOf = (isSaid: boolean): ExamOptions<Orders> => ({
    ...examOfShop((word) => word),
    open: (opening) => dropsTheChallenge(isSaid)(openSmallShop(opening)),
  });
  expect(await judge(examOf(true), "order with a challenge")).toContain(
    "led-to-the-challenge: The bank asked for a challenge, the shop did not lead the customer to it, and the merchant answered 402.",
  );
  // How this shop leads there the exam may not know.
  expect(await judge(examOf(false), "order with a challenge")).toEqual([]);
  expect(
    await judge(examOf(true), "order with a challenge", ["call payment-intent.confirm 1", "response.lost"]),
  ).toEqual([]);
});

test("a shop that takes silence for a decline is found when it is not told either", async () => {
  const silence = ["call payment-intent.confirm 1", "silence"] as const;
  expect(await judge(examOfSmallShop("takes silence for a decline"), "order approved", silence)).toContain(
    "paid-and-fulfilled: ₱499.00 was paid for order-1, which is failed, and was neither fulfilled nor given back.",
  );
  expect(await judge(examOfSmallShop(), "order approved", silence)).toEqual([]);
});

test("what was paid at the counter almost an hour later has to be fulfilled", async () => {
  const asks = examOfShop((word) => word);
  const { jobs: _, ...neverAsks } = asks;
  const lost = ["event payment_intent.succeeded 1", "webhook.drop"] as const;
  expect(await judge(asks, "order paid at the counter", lost)).toEqual([]);
  expect(await judge(neverAsks, "order paid at the counter", lost)).toEqual([
    "paid-and-fulfilled: ₱499.00 was paid for order-1, which is pending, and was neither fulfilled nor given back.",
  ]);
});

test("a small payment of another system does not pay for an order of the same externalId", async () => {
  const small = ["act order 1", "payment of another system"] as const;
  const trustsTheName: ExamOptions<Orders> = {
    ...examOfShop((word) => word),
    open: (opening) => {
      const handler = openSmallShop(opening);
      return async (request: Request) => {
        const { type, data } = request.url.endsWith("/hooks")
          ? ((await request.clone().json()) as { type: string; data?: { attributes: { externalId?: string } } })
          : {};
        const order = opening.store.get(data?.attributes.externalId ?? "");
        if (order !== undefined && type === "payment_intent.succeeded" && order.status !== "paid")
          Object.assign(order, { status: "paid", fulfilments: 1 });
        return handler(request);
      };
    },
  };
  expect(await judge(trustsTheName, "order with a challenge", small)).toContain(
    "paid-before-fulfilled: order-1 costs ₱499.00 and was fulfilled when nothing was paid.",
  );
  expect(
    await judge(
      examOfShop((word) => word),
      "order with a challenge",
      small,
    ),
  ).toEqual([]);
});

test("a refund may not be larger than the payment", async () => {
  const refunds = (refunded: number | boolean): ExamOptions<Orders> => ({
    ...examOfShop((word) => word),
    books: ({ store }) => ({ orders: [...store.values()].map((order) => Object.assign({}, order, { refunded })) }),
  });
  expect(await judge(refunds(99_800), "order approved")).toContain(
    "given-back-once: ₱998.00 was given back for order-1, and ₱499.00 was paid.",
  );
  for (const refunded of [0, 49_900, true, false]) expect(await judge(refunds(refunded), "order approved")).toEqual([]);
});

test("nothing may be sold that is not there", async () => {
  const sells = (stock: number): ExamOptions<Orders> => ({
    ...examOfShop((word) => word),
    books: ({ store }) => {
      const orders = [...store.values()];
      return { orders, stock: { book: stock - orders.filter(({ status }) => status === "paid").length } };
    },
  });
  expect(await judge(sells(1), "two customers order at once")).toContain("never-oversold: book was oversold by 1.");
  const alarms = await judge(sells(3), "two customers order at once");
  expect(alarms.filter((alarm) => alarm.startsWith("never-oversold"))).toEqual([]);
});

test("a shop that leads a customer back to the page of a declined payment breaks led-to-an-open-page", async () => {
  const flow = "checkout declined then again";
  expect(await judge(ticketOffice, flow)).toEqual([]);
  const first = new Map<string, Response>();
  const leadsBack: typeof ticketOffice = {
    ...ticketOffice,
    acts: {
      checkout: async (context) => {
        const answer = await ticketOffice.acts.checkout?.(context);
        if (answer !== undefined && !first.has(context.id)) first.set(context.id, answer);
        return (first.get(context.id) as Response).clone();
      },
    },
  };
  expect(await judge(leadsBack, flow)).toContain(
    "led-to-an-open-page: The customer of order-1 was led to a page that is failed.",
  );
});

test("an order whose status is a word of the shop's own is not accused", async () => {
  expect(
    await judge(
      examOfShop(() => "rosa"),
      "order approved",
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
      "order approved",
    ),
  ).toEqual([]);
});

test("an order under the id of a membership is not paid by that membership's invoices", async () => {
  const alarms = await judge(shop, "join with a renewal declined then another card", [
    "act changeCard 1",
    "pays again with another card",
  ]);
  expect(alarms.filter((alarm) => !alarm.startsWith("stock-freed"))).toEqual([]);
});

test("of two payments for an order that was fulfilled, only one may be given back, once", async () => {
  const paysTwice = (refunded: number): ExamOptions<Orders> => ({
    ...examOfShop((word) => word),
    open: (opening) => {
      const handler = openSmallShop(opening, "no idempotency keys");
      return async (request: Request) => {
        for (const order of opening.store.values()) if (request.url.endsWith("/orders")) delete order.intent;
        return handler(request);
      };
    },
    books: ({ store }) => ({
      orders: [...store.values()].map((order) => Object.assign({}, order, order.id === "order-1" && { refunded })),
    }),
  });
  const twice = ["act order 1", "back button"] as const;
  const broken = await judge(paysTwice(99_800), "order approved", twice);
  expect(broken).toContain(
    "given-back-once: order-1 was fulfilled and costs ₱499.00, and ₱998.00 of the ₱998.00 that was paid was given back.",
  );
  const alarms = await judge(paysTwice(49_900), "order approved", twice);
  expect(alarms.filter((alarm) => /^(given-back|charged-)once/.test(alarm))).toEqual([]);
});

test("what was sold beyond the stock is oversold, though the books stop counting at nothing", async () => {
  const sells: ExamOptions<Orders> = {
    ...examOfShop((word) => word),
    books: ({ store }) => {
      const orders = [...store.values()];
      return { orders, stock: { book: Math.max(0, 1 - orders.filter(({ status }) => status === "paid").length) } };
    },
  };
  const broken = await judge(sells, "two customers order at once");
  expect(broken.filter((each) => /stock|oversold/.test(each))).toEqual([
    "never-oversold: book was oversold by 2: there were 1, and order-1 and order-2 and last-1 were fulfilled.",
  ]);
});
