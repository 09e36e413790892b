import { expect, test } from "vitest";
import type { Act, ActContext, ExamOptions } from "centavo/exam";
import { ticketOffice } from "../honest/ticket-office.ts";
import { examOfSmallShop, openSmallShop } from "../small-shop.ts";
import type { Order, Orders } from "../small-shop.ts";
import { judge } from "./judge.ts";

const books: Act = (context) => (ticketOffice.acts.checkout as Act)(context);

/** The ticket office, which answers whoever comes back in another way. */
function officeThatAnswers(again: (first: Response) => Response): typeof ticketOffice {
  const first = new Map<string, Response>();
  const checkout = async (context: ActContext): Promise<Response> => {
    const answer = await books(context);
    const known = first.get(context.id);
    first.set(context.id, known ?? answer.clone());
    return known === undefined ? answer : again(known.clone());
  };
  return { ...ticketOffice, acts: { checkout, changeCart: ticketOffice.acts.changeCart as Act } };
}

test("who comes back to an order whose session has ended is led to another page", async () => {
  const leadsNowhere = officeThatAnswers(() => Response.json({ status: "unpaid" }));
  expect(await judge(leadsNowhere, "checkout declined then again")).toEqual([
    "led-to-an-open-page: The customer of order-1 came back to pay, the merchant answered 200, and led to no page. The order is not paid.",
  ]);
  const refuses = officeThatAnswers(() => new Response("We are closed.", { status: 409 }));
  expect(await judge(refuses, "checkout declined then again")).toEqual([]);
  expect(await judge(ticketOffice, "checkout declined then again")).toEqual([]);
});

test("who changes the order is led to a page that asks the new price", async () => {
  const leadsBack = officeThatAnswers((first) => first);
  const changes: Act = async (context) => {
    await (ticketOffice.acts.changeCart as Act)(context);
    return new Response("Changed.");
  };
  const flow = "checkout paid after the cart changed";
  const broken = await judge({ ...leadsBack, acts: { ...leadsBack.acts, changeCart: changes } }, flow);
  expect(broken).toContain("led-to-an-open-page: The customer of order-1 was led to the page of the old price.");
  expect(await judge(ticketOffice, flow)).toEqual([]);
});

test("who changes the order after a decline is charged the new price", async () => {
  const flow = "order declined then paid after the cart changed";
  const shop = (change: (order: Order) => Partial<Order>): ExamOptions<Orders> => {
    const exam = examOfSmallShop();
    return {
      ...exam,
      acts: {
        ...exam.acts,
        payAgain: ({ visit, id, method }) => visit("POST", "/orders", { id, method }),
        changeCart: ({ visit, id }) => visit("POST", "/cart", { id }),
      },
      open: (opening) => {
        const handler = openSmallShop(opening, "no idempotency keys");
        return async (request: Request) => {
          if (!request.url.endsWith("/cart")) return handler(request);
          const { id } = (await request.json()) as { id: string };
          const { intent: _, ...order } = opening.store.get(id) as Order;
          opening.store.set(id, { ...order, ...change(order) });
          return new Response();
        };
      },
      books: ({ store }) => ({
        orders: [...store.values()].map((order) => {
          const amount = order.pieces === 2 ? 99_800 : order.amount;
          return { id: order.id, status: order.status, fulfilments: order.fulfilments, amount };
        }),
      }),
    };
  };
  const charges = await judge(
    shop(() => ({ pieces: 2 })),
    flow,
  );
  expect(charges).toContain(
    "charged-as-asked: The customer of order-1 changed what is in the order, and was charged the old price.",
  );
  const honest = shop(() => ({ pieces: 2, amount: 99_800 }));
  expect(await judge(honest, flow)).toEqual([]);
});
