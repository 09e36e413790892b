import type { Subscriptions } from "./commands.ts";
import { invoiceView, subscriptionView } from "./views.ts";
import type { InvoiceRow } from "./invoice-machine.ts";
import type { SubscriptionRow } from "./machine.ts";

const OTHERS = { kind: "others" } as const;

/** Returns the maker of a subscription event's fields, without its id, type and time (`webhook.subscription`). */
export function subscriptionEventContent(
  subscription: SubscriptionRow,
  invoice: InvoiceRow | undefined,
  subscriptions: Subscriptions,
): () => object {
  subscriptions.useAssumptions("subscription.events", "webhook.subscription");
  const { billing } = subscriptions;
  const latest = billing.latestOf(subscription.id);
  const latestIntent = billing.intentOf(latest);
  const intent = invoice === undefined ? undefined : billing.intentOf(invoice);
  return () => {
    const latestInvoice = invoiceView(latest, latestIntent, OTHERS);
    const attributes = subscriptionView(subscription, latestInvoice);
    if (invoice === undefined || intent === undefined)
      return { data: { id: subscription.id, type: "subscription", attributes } };
    // Most events are about the latest invoice, whose view exists already.
    const concerned = invoice === latest ? latestInvoice : invoiceView(invoice, intent, OTHERS);
    return { data: { id: subscription.id, type: "subscription", attributes: { ...attributes, invoice: concerned } } };
  };
}
