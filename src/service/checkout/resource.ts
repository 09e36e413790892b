import { readerOf } from "../../kit/declaration/reader.ts";
import { paymentIntents } from "../payment-intents/resource.ts";
import { defineResource } from "../resource.ts";
import { Checkout, checkoutLifecycle } from "./commands.ts";
import type { CheckoutRow } from "./machine.ts";
import { checkoutEventContent } from "./events.ts";
import { checkoutReactions } from "./reactions.ts";
import { checkoutRoutes } from "./routes.ts";
import { checkoutEvent, checkoutEventTypes, checkoutStatus } from "../schemas/checkout.ts";
import { statusOf } from "./status.ts";
import { checkoutView } from "./views.ts";
import type { CheckoutReaders } from "./views.ts";

/** Checkout sessions and the hosted page (4.2). */
export const checkout = defineResource<Checkout>()({
  name: "checkout",
  lifecycles: [{ lifecycle: checkoutLifecycle, statusOf, status: checkoutStatus, forgottenWith: "payments" }],
  open: (ground, of) => new Checkout({ ...ground, intents: of(paymentIntents) }),
  routes: checkoutRoutes,
  tags: { checkout: "Payments on the hosted page" },
  events: {
    name: "checkout",
    summary: "The status of a checkout session changed",
    announced: checkoutEventTypes,
    schema: checkoutEvent,
    assumes: ["checkout.moves", "webhook.checkout"],
    tell({ row }, sessions) {
      const session = row as CheckoutRow;
      if (sessions.hides(session.state)) return undefined;
      const { merchantId, webhookUrl } = session.data;
      return { merchantId, webhookUrl, content: checkoutEventContent(session, sessions.statusOf(session)) };
    },
  },
  reactions: (sessions, of) => checkoutReactions(sessions, of(paymentIntents)),
  view: (sessions, { baseUrl }): CheckoutReaders => ({
    checkouts: readerOf(
      "checkouts",
      sessions.rows,
      (session) => checkoutView(session, sessions, baseUrl),
      { status: checkoutStatus.options },
      (id) => sessions.get(id) ?? sessions.byToken(id),
    ),
  }),
});
