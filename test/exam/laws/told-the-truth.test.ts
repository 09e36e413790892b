import { expect, test } from "vitest";
import type { ExamOptions, Opening } from "centavo/exam";
import { examOfSmallShop, openSmallShop } from "../small-shop.ts";
import type { Orders } from "../small-shop.ts";
import { judge } from "./judge.ts";

type Handler = (request: Request) => Promise<Response>;

/** The small shop with a page for each order, and something else in the place of its answers at one path. */
function shopThat(
  path: string,
  answers: (request: Request, opening: Opening<Orders>, handler: Handler) => Promise<Response> | Response,
): ExamOptions<Orders> {
  const shop = examOfSmallShop();
  return {
    ...shop,
    acts: { ...shop.acts, look: ({ visit, id }) => visit(`/orders/${id}`) },
    open: (opening) => {
      const handler = openSmallShop(opening);
      return async (request: Request) => {
        const { pathname } = new URL(request.url);
        if (pathname.startsWith(path)) return answers(request, opening, handler);
        const order = opening.store.get(pathname.replace("/orders/", ""));
        return order === undefined ? handler(request) : Response.json(order);
      };
    },
  };
}

const truthsIn = (broken: readonly string[]): readonly string[] =>
  broken.filter((each) => each.startsWith("told-the-truth"));

const pageOf = (text: (id: string) => string) => (request: Request) =>
  new Response(`<!doctype html><p>${text(new URL(request.url).searchParams.get("order") ?? "")}</p>`);

const looksLater = {
  name: "order then look",
  steps: [
    { kind: "act", act: "order", id: "order-1", method: "pm_card_approved" },
    { kind: "act", act: "order", id: "order-2", method: "pm_card_challenge", pages: { challenge: "leave" } },
    { kind: "wait", milliseconds: 3_600_000 },
    { kind: "act", act: "look", id: "order-1", method: "pm_card_approved" },
  ],
} as const;

test.for<[string, string]>([
  ["a page", "Order <b>order-1</b>: paid"],
  ["a sentence", "Thank you. order-1 is paid."],
  ["a word", "paid"],
])("%s that says paid while nothing is paid is found", async ([, text]) => {
  const shop = shopThat(
    "/return",
    pageOf(() => text),
  );
  const typed = ["act order 1", "typed way back"] as const;
  expect(truthsIn(await judge(shop, "order with the challenge left", typed))).toEqual([
    "told-the-truth: The customer was told that order-1 is paid, and nothing was paid.",
  ]);
  expect(truthsIn(await judge(shop, "order with the challenge left"))).toEqual([]);
});

test.for([402, 500])("an answer %d to a payment that is under way tells a refusal, or nothing", async (status) => {
  const shop = shopThat("/orders", async (request, _opening, handler) => {
    await handler(request);
    return new Response(undefined, { status });
  });
  const lives = "told-the-truth: The customer was told the answer 402, and the payment is succeeded.";
  expect(truthsIn(await judge(shop, "order approved"))).toEqual(status === 402 ? [lives] : []);
  // This payment was declined.
  const declined = await judge(shop, "order declined at once");
  expect(declined.filter((each) => each.includes("order-1"))).toEqual([]);
});

test("an order that says failed while its payment is under way is found, and not one that was declined", async () => {
  const fails = shopThat("/orders", async (request, { store }, handler) => {
    const { id } = (await request.clone().json()) as { id: string };
    const answer = await handler(request);
    const order = store.get(id);
    if (order?.status === "pending") order.status = "failed";
    return Response.json({ ...((await answer.json()) as object), status: order?.status });
  });
  expect(truthsIn(await judge(fails, "order approved", ["act order 1", "processor.late"]))).toEqual([
    "told-the-truth: The customer was told that order-1 is failed, and the payment is processing.",
  ]);
});

test("a page that still says pending when the books have long said paid is found, and a word for something else is not", async () => {
  const stale = (word: string) =>
    shopThat("/orders/", (request) => {
      const id = new URL(request.url).pathname.replace("/orders/", "");
      return Response.json({ id, status: word });
    });
  expect(truthsIn(await judge(stale("pending"), looksLater))).toEqual([
    "told-the-truth: The customer was told that order-1 is pending, and it is paid in the books.",
  ]);
  expect(truthsIn(await judge(stale("unseen"), looksLater))).toEqual([]);
});

test("a 402 that leads to the challenge is no refusal, however late it comes", async () => {
  const shop = shopThat("/orders", async (request, { sim }, handler) => {
    await handler(request);
    return Response.json({ redirectUrl: `${sim.baseUrl}/authenticate/gone` }, { status: 402 });
  });
  expect(truthsIn(await judge(shop, "order approved"))).toEqual([]);
});

test("a shop that turns a paid order down may say so when it gives the money back", async () => {
  const turnsDown = (refunded: number): ExamOptions<Orders> => ({
    ...shopThat("/orders/", (request, { store }) => {
      const order = store.get(new URL(request.url).pathname.replace("/orders/", ""));
      return Response.json({ id: order?.id, status: order?.status === "paid" ? "rejected" : order?.status });
    }),
    books: ({ store }) => ({
      orders: [...store.values()].map(({ id, amount, status }) =>
        status === "paid"
          ? { id, amount, status: "rejected", fulfilments: 0, refunded }
          : { id, amount, status, fulfilments: 0 },
      ),
    }),
  });
  expect(truthsIn(await judge(turnsDown(49_900), looksLater))).toEqual([]);
  expect(truthsIn(await judge(turnsDown(0), looksLater))).toEqual([
    "told-the-truth: The customer was told that order-1 is rejected, and the payment is succeeded.",
  ]);
});
