import { readerOf } from "../../kit/declaration/reader.ts";
import { paymentIntents } from "../payment-intents/resource.ts";
import { defineResource } from "../resource.ts";
import { invoiceLifecycle } from "./billing.ts";
import type { InvoiceRow } from "./invoice-machine.ts";
import { subscriptionLifecycle, Subscriptions } from "./commands.ts";
import { subscriptionEventContent } from "./events.ts";
import { subscriptionReactions } from "./reactions.ts";
import { subscriptionRoutes } from "./routes.ts";
import {
  invoiceStatus,
  subscriptionEvent,
  subscriptionEventTypes,
  subscriptionStatus,
} from "../schemas/subscriptions.ts";
import { invoiceStatusOf, statusOf } from "./status.ts";
import { planView } from "./views.ts";
import type { SubscriptionReaders } from "./views.ts";

/** Plans, subscriptions and their invoices (4.3). */
export const subscriptions = defineResource<Subscriptions>()({
  name: "subscriptions",
  lifecycles: [
    { lifecycle: subscriptionLifecycle, statusOf, status: subscriptionStatus, forgottenWith: "never" },
    { lifecycle: invoiceLifecycle, statusOf: invoiceStatusOf, status: invoiceStatus, forgottenWith: "payments" },
  ],
  open: (ground, of) => new Subscriptions({ ...ground, intents: of(paymentIntents) }),
  routes: subscriptionRoutes,
  tags: { "subscription-plan": "What customers subscribe to", subscription: "Recurring billing" },
  events: {
    name: "subscription",
    summary: "The status of a subscription changed, or one of its invoices was paid or a payment of it failed",
    announced: subscriptionEventTypes,
    schema: subscriptionEvent,
    assumes: ["subscription.events", "webhook.subscription"],
    tell({ resource, row }, commands) {
      const invoice = resource === invoiceLifecycle.name ? (row as InvoiceRow) : undefined;
      const subscription = commands.existing(invoice?.data.subscriptionId ?? row.id);
      const { merchantId, webhookUrl } = subscription.data;
      return { merchantId, webhookUrl, content: subscriptionEventContent(subscription, invoice, commands) };
    },
  },
  reactions: subscriptionReactions,
  view(commands, { baseUrl }): SubscriptionReaders {
    const audience = { kind: "owner", publicUrl: baseUrl } as const;
    return {
      plans: readerOf("plans", commands.plans.rows, (plan) => ({ ...planView(plan), merchantId: plan.merchantId })),
      subscriptions: readerOf(
        "subscriptions",
        commands.rows,
        (subscription) => ({
          ...commands.view(subscription, audience),
          merchantId: subscription.data.merchantId,
        }),
        { status: subscriptionStatus.options },
      ),
      invoices: readerOf(
        "invoices",
        commands.billing.rows,
        (invoice) => ({ ...commands.invoiceView(invoice, audience), merchantId: invoice.data.merchantId }),
        { status: invoiceStatus.options },
      ),
    };
  },
});
