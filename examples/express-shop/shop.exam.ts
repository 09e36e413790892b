import type { ExamOptions } from "centavo/exam";
import { mayRead } from "./memberships.ts";
import { createShop } from "./shop.ts";
import { emptyStore } from "./store.ts";
import type { ShopStore } from "./store.ts";

/** What the shop's customers do, and what the shop believes. `centavo exam` looks for a story in which money, goods or access go wrong. */
export default {
  store: emptyStore(),
  open: ({ sim, fetch, sleep, timeout, store, url }) =>
    createShop(
      {
        ...sim.credentials,
        payBaseUrl: sim.baseUrl,
        payAuthUrl: sim.authUrl,
        shopUrl: url,
        axios: { adapter: "fetch", env: { fetch } },
        sleep,
        timeout,
      },
      { store },
    ),
  acts: {
    order: ({ visit, id, quantity, customer, method }) =>
      visit("POST", "/orders", { id, sku: "book", quantity, customer, paymentMethodId: method }),
    payAgain: ({ visit, id, quantity, customer, method }) =>
      visit("POST", "/orders", { id, sku: "book", quantity, customer, paymentMethodId: method }),
    checkout: async ({ visit, id, quantity, customer }) => {
      await visit("POST", "/orders", { id, sku: "book", quantity, customer });
      return visit("POST", `/orders/${id}/checkout`);
    },
    changeCart: ({ visit, id }) => visit("PATCH", `/orders/${id}`, { quantity: 2 }),
    look: ({ visit, id }) => visit(`/orders/${id}`),
    join: ({ visit, id, customer, method, plan }) =>
      visit("POST", "/memberships", { id, plan, customer, paymentMethodId: method }),
    changeCard: ({ visit, id, method }) => visit("POST", `/memberships/${id}/card`, { paymentMethodId: method }),
    changePlan: ({ visit, id, plan }) => visit("POST", `/memberships/${id}/plan`, { plan }),
    leave: ({ visit, id }) => visit("DELETE", `/memberships/${id}`),
  },
  plans: ["reader", "scholar"],
  books: async ({ visit, store }) => ({
    orders: [...store.orders.values()].map(({ id, status, amount, refunded, parcels: fulfilments }) => {
      return { id, status, amount, refunded, fulfilments };
    }),
    memberships: [...store.memberships.values()].map(({ id, status, plan, paidUntil }) => {
      const facts = { id, plan, hasAccess: mayRead({ status }) };
      return paidUntil === undefined ? facts : Object.assign(facts, { paidUntil });
    }),
    stock: (await (await visit("/stock")).json()) as Record<string, number>,
  }),
  jobs: [{ every: "10 minutes", run: ({ visit }) => visit("POST", "/jobs/refresh") }],
  policy: { access: { past_due: true } },
} satisfies ExamOptions<ShopStore>;
