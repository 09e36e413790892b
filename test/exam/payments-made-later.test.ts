import { exam } from "centavo/exam";
import type { ExamOptions, Opening } from "centavo/exam";
import { expect, test } from "vitest";
import { isNight } from "../by-night.ts";
import { signedText, smallClient } from "./small-client.ts";

interface Order {
  readonly id: string;
  /** The shop's own number, which says nothing of the customer. */
  readonly number: string;
  readonly amount: number;
  method: string;
  status: "pending" | "paid";
  fulfilments: number;
  intent?: string | undefined;
  isAsked: boolean;
}
interface Payment {
  readonly id: string;
  readonly status: string;
}

/** A shop that takes an order with 202, numbers it, and pays for it from a job. */
function open({ store, url, ...opening }: Opening<Map<string, Order>>, isTrusting = false) {
  const call = smallClient(opening as Opening<never>);
  const working = new Set<string>();

  const refresh = async (order: Order): Promise<void> => {
    if (order.intent === undefined || order.status === "paid") return;
    const { data } = await call<Payment>("GET", `/api/payment-intent/${order.intent}/status`);
    if (data?.status !== "succeeded" && !isTrusting) return;
    order.fulfilments += Number(order.status === "pending");
    order.status = "paid";
  };
  const pay = async (order: Order): Promise<void> => {
    const { amount, number, method } = order;
    const fields = { amount, externalId: number, returnUrl: `${url}/return`, webhookUrl: `${url}/hooks` };
    order.intent ??= (await call<Payment>("POST", "/api/payment-intent", fields, `create-${number}`)).data?.id;
    if (order.intent !== undefined && !order.isAsked) {
      const path = `/api/payment-intent/${order.intent}/confirm`;
      await call("POST", path, { paymentMethodId: method }, `confirm-${number}-${method}`);
      order.isAsked = true;
    }
    await refresh(order);
  };
  const work = async (): Promise<void> => {
    for (const order of [...store.values()].filter(({ id }) => !working.has(id))) {
      working.add(order.id);
      await pay(order).catch(() => undefined);
      working.delete(order.id);
    }
  };

  return async (request: Request): Promise<Response> => {
    const { pathname } = new URL(request.url);
    if (pathname === "/jobs/work") await work();
    if (pathname === "/hooks") {
      const text = await signedText(request, opening.sim.credentials.webhookSecret, opening.now());
      if (text === undefined) return new Response(null, { status: 401 });
      for (const order of store.values()) await refresh(order);
    }
    if (pathname !== "/orders") return new Response();
    const { id, method } = (await request.json()) as { id: string; method: string };
    const number = `A-${1000 + store.size}`;
    const order = { id, number, method, amount: 49_900, status: "pending", fulfilments: 0, isAsked: false } as const;
    if (!store.has(id)) store.set(id, { ...order });
    return Response.json({ id }, { status: 202 });
  };
}

const shop = (isTrusting: boolean): ExamOptions<Map<string, Order>> => ({
  open: (opening) => open(opening, isTrusting),
  acts: { order: ({ visit, id, method }) => visit("POST", "/orders", { id, method }) },
  books: ({ store }) => ({ orders: [...store.values()] }),
  jobs: [{ every: "10 minutes", run: ({ visit }) => visit("/jobs/work") }],
  budget: { stories: isNight ? 120 : 60 },
});

test("a payment that a job makes under the shop's own number counts for the order of the customer", async () => {
  const verdict = await exam(shop(false));
  expect(verdict.failures.map(({ what }) => what)).toEqual([]);
  expect(verdict.leftOut).toHaveProperty("paid-before-fulfilled");
});

test("a shop that pays from a job, and fulfils what was declined, is found", async () => {
  const verdict = await exam(shop(true));
  expect(verdict.failures.map(({ law }) => law)).toContain("paid-before-fulfilled");
});
