import "reflect-metadata";
import { NestFactory } from "@nestjs/core";
// Centavo's exam is an ES module.
import type { ExamOptions } from "centavo/exam" with { "resolution-mode": "import" };
import { ShopModule } from "./shop.module";
import { mayRead } from "./store";
import type { Store } from "./store";

/** What the shop's customers do, and what the shop believes. */
const shopExam = {
  store: { orders: new Map(), memberships: new Map() },
  open: ({ sim: { baseUrl, authUrl, credentials }, fetch, store, url }) =>
    NestFactory.create(ShopModule.register({ ...credentials, baseUrl, authUrl, url, fetch }, store), {
      rawBody: true,
      logger: false,
    }),
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

export = shopExam;
