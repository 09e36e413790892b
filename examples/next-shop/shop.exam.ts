import { join } from "node:path";
import type { ExamOptions } from "centavo/exam";
import { nextApp } from "centavo/testing";
import { database, mayRead } from "./lib/shop.ts";

/** What the shop's customers do, and what the shop believes. */
export default {
  store: { orders: new Map(), memberships: new Map() },
  intercept: true,
  open: ({ sim: { baseUrl, authUrl, credentials }, store, url }) => {
    Object.assign(database, store);
    Object.assign(process.env, {
      PAY_BASE_URL: baseUrl,
      PAY_AUTH_URL: authUrl,
      PAY_CLIENT_ID: credentials.clientId,
      PAY_CLIENT_SECRET: credentials.clientSecret,
      PAY_WEBHOOK_SECRET: credentials.webhookSecret,
      SHOP_URL: url,
    });
    return nextApp(join(import.meta.dirname, "app"), { load: (file) => import(file) });
  },
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
} satisfies ExamOptions<typeof database>;
