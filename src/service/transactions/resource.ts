import { readerOf } from "../../declaration/reader.ts";
import { checkout } from "../checkout/resource.ts";
import { paymentIntents } from "../payment-intents/resource.ts";
import { defineResource } from "../resource.ts";
import { Transactions } from "./commands.ts";
import { transactionRoutes } from "./routes.ts";

/** Every payment, to be queried (4.4): a projection of intents and checkout sessions. */
export const transactions = defineResource<Transactions>()({
  name: "transactions",
  lifecycles: [],
  open: (ground, of) => new Transactions({ ...ground, intents: of(paymentIntents), checkout: of(checkout) }),
  routes: transactionRoutes,
  tags: { transaction: "Every payment, and checkout sessions, to be queried" },
  forgets: {
    payments: (projection) => ({
      isNeeded: (id) => projection.isNeeded(id),
      forget: (ids) => projection.forget(ids),
    }),
  },
  reactions: (projection) => (fact) => projection.project(fact),
  view: (projection) => ({ transactions: readerOf(projection, (transaction) => transaction) }),
});
