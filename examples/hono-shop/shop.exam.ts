import type { ExamOptions } from "centavo/exam";
import { createApp } from "./app.ts";
import { mayRead } from "./shop.ts";
import type { Store } from "./shop.ts";

/** What the shop's customers do, and what the shop believes. */
export default {
  store: { orders: new Map(), memberships: new Map() },
  intercept: true,
  open: ({ sim: { baseUrl, authUrl, credentials }, store, url }) =>
    createApp({ ...credentials, baseUrl, authUrl, url }, store),
  acts: {
    checkout: ({ visit, id, customer }) => visit("POST", "/orders", { id, customer }),
    look: ({ visit, id }) => visit(`/orders/${id}`),
    join: ({ visit, id, plan, customer, method: card }) => visit("POST", "/memberships", { id, plan, customer, card }),
    changeCard: ({ visit, id, method: card }) => visit("PUT", `/memberships/${id}/card`, { card }),
  },
  plans: ["reader", "scholar"],
  books: ({ store }) => ({
    orders: [...store.orders.values()].map(({ id, amount, status, parcels: fulfilments }) => {
      return { id, amount, status, fulfilments };
    }),
    memberships: [...store.memberships.values()].map(({ id, plan, status, paidUntil }) => {
      return { id, plan, paidUntil, hasAccess: mayRead({ status }) };
    }),
  }),
  jobs: [{ every: "10 minutes", run: ({ visit }) => visit("POST", "/jobs/refresh") }],
  policy: { access: { past_due: true } },
} satisfies ExamOptions<Store>;
