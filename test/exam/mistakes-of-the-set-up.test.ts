import { exam } from "centavo/exam";
import type { ExamOptions } from "centavo/exam";
import { expect, test } from "vitest";
import { examOfClub } from "./small-club.ts";
import { examOfSmallShop, openSmallShop } from "./small-shop.ts";

const shop = examOfSmallShop() as unknown as ExamOptions<never>;
const club = examOfClub() as unknown as ExamOptions<never>;
/** Sends no address for events. */
const withoutAddress =
  (fetch: typeof globalThis.fetch): typeof globalThis.fetch =>
  (input, init) =>
    fetch(input, {
      ...init,
      ...(typeof init?.body === "string" && { body: init.body.replace(/,"webhookUrl":"[^"]*"/, "") }),
    });
const NOTHING_WRONG = "in its first story, in which nothing goes wrong";

test.for<[name: string, ExamOptions<never>, message: string]>([
  [
    "an act whose route the app does not have",
    { ...shop, acts: { order: ({ visit, id }) => visit("POST", "/order", { id }) } },
    `exam: the act order asked POST /order ${NOTHING_WRONG}, and the merchant's app answered 404. Give the act the method and the path of a route that the app has, or leave the act out.`,
  ],
  [
    "an act whose method the route does not take",
    {
      ...shop,
      open: (opening) => {
        const app = openSmallShop(opening);
        return (request: Request) => (request.method === "PUT" ? new Response(null, { status: 405 }) : app(request));
      },
      acts: { order: ({ visit, id }) => visit("PUT", "/orders", { id }) },
    },
    `the act order asked PUT /orders ${NOTHING_WRONG}, and the merchant's app answered 405.`,
  ],
  [
    "an act of a later flow whose route the app does not have",
    { ...shop, acts: { ...shop.acts, payAgain: ({ visit, id }) => visit("POST", `/orders/${id}/pay`) } },
    `the act payAgain asked POST /orders/order-1/pay ${NOTHING_WRONG}, and the merchant's app answered 404.`,
  ],
  [
    "an act that throws",
    { ...shop, acts: { order: ({ visit, id }) => visit("POST", "orders", { id }) } },
    `exam: the act order threw ${NOTHING_WRONG}. It has to return the merchant's answer, as visit does. It threw: `,
  ],
  [
    "an act that cannot read the answer",
    {
      ...shop,
      acts: {
        order: async ({ visit, id, method }) => {
          const answer = await visit("POST", "/orders", { id, method });
          const { order } = (await answer.clone().json()) as { order: { id: string } };
          return order.id === id ? answer : new Response();
        },
      },
    },
    `exam: the act order threw ${NOTHING_WRONG}. It has to return the merchant's answer, as visit does. It threw: Cannot read properties of undefined (reading 'id')`,
  ],
  [
    "an act that throws for a customer before it asks anything",
    {
      ...shop,
      acts: {
        order: ({ visit, id, method }) => {
          const product = new Map([["order-1", "book"]]).get(id);
          if (product === undefined) throw new Error(`There is no product for ${id}.`);
          return visit("POST", "/orders", { id, method });
        },
      },
    },
    "exam: the act order of last-1 threw before it asked the merchant anything. An act has to work for any id. It threw: There is no product for last-1.",
  ],
  [
    "a webhookPath that the app does not have",
    {
      ...shop,
      open: (opening) => openSmallShop({ ...opening, fetch: withoutAddress(opening.fetch) }),
      webhookPath: "/hoks",
    },
    "exam: the merchant's app answered 404 to each event in the first story, in which nothing goes wrong. Events go to the option webhookPath, /hoks. Give it the path of the route that takes them.",
  ],
  [
    "books that throw at the end of a later story",
    {
      ...shop,
      books: ({ store }) => {
        const orders = [...(store as Map<string, { status: string }>).values()];
        if (!orders.every(({ status }) => status === "paid")) throw new Error("No order may be unpaid");
        return { orders: orders as never };
      },
    },
    "exam: books threw at the end of a story, when nothing goes wrong any more: No order may be unpaid. The story: Ana orders order-1 with pm_card_insufficient_funds.",
  ],
  [
    "orders whose ids are the shop's own",
    {
      ...shop,
      books: ({ store }) => ({
        orders: [...(store as Map<string, object>).values()].map((order, index) =>
          Object.assign({}, order, { id: `${index + 1}` }),
        ) as never,
      }),
    },
    'exam: books returned orders with the ids "1", "2", and no customer used these: the act order, which asked POST /orders, had "order-1", "last-1". Return the id that the act was given.',
  ],
  [
    "memberships whose ids are the club's own",
    {
      ...club,
      books: async (context) => {
        const { memberships = [] } = await club.books(context);
        return { memberships: memberships.map((each) => Object.assign({}, each, { id: `no-${each.id}` })) };
      },
    },
    'exam: books returned memberships with the ids "no-member-1", "no-last-1", and no customer used these: the act join, which asked POST /members, had "member-1", "last-1".',
  ],
])("the exam names %s before it searches", async ([, options, message]) => {
  await expect(exam({ ...options, budget: { stories: 20 } })).rejects.toThrow(message);
});

test("an error of the merchant's own program is no mistake of the act", async () => {
  const verdict = await exam({
    ...shop,
    open: () => () => {
      throw new Error("The shop is closed.");
    },
    budget: { stories: 1 },
  });
  expect(verdict.failures.map(({ law }) => law)).toContain("good-card-is-served");
});
