import { readerOf } from "../../kit/declaration/reader.ts";
import { checkout } from "../checkout/resource.ts";
import { paymentIntents } from "../payment-intents/resource.ts";
import { defineResource } from "../resource.ts";
import { Transactions } from "./commands.ts";
import { transactionRoutes } from "./routes.ts";
import { transactionStatus } from "../schemas/transactions.ts";
import type { TransactionReaders } from "./views.ts";

/** A read-only list of every payment (4.4), projected from intents and checkout sessions. */
export const transactions = defineResource<Transactions>()({
  name: "transactions",
  open: (ground, of) => new Transactions({ ...ground, intents: of(paymentIntents), checkout: of(checkout) }),
  routes: transactionRoutes,
  tags: { transaction: "Queries for payments and checkout sessions" },
  forgets: {
    payments: (projection) => ({
      isNeeded: (id) => projection.isNeeded(id),
      forget: (ids) => projection.forget(ids),
    }),
  },
  reactions: (projection) => (fact) => projection.project(fact),
  view: (projection): TransactionReaders => ({
    transactions: readerOf("transactions", projection.rows, (entry) => projection.view(entry), {
      status: transactionStatus.options,
    }),
  }),
});
