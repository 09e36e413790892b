import type { InvoiceRow } from "./billing.ts";
import type { SubscriptionRow, Subscriptions } from "./commands.ts";

/** What a subscription event carries beside its id, type and time, with the invoice where one is concerned (`webhook.subscription`). */
export function subscriptionEventContent(
  subscription: SubscriptionRow,
  invoice: InvoiceRow | undefined,
  subscriptions: Subscriptions,
): object {
  subscriptions.rely("subscription.events", "webhook.subscription");
  const audience = { kind: "others" } as const;
  const attributes = subscriptions.view(subscription, audience);
  if (invoice === undefined) return { data: { id: subscription.id, type: "subscription", attributes } };
  // Most events concern the latest invoice, which is written already.
  const concerned =
    invoice === subscriptions.billing.latestOf(subscription.id)
      ? attributes.latestInvoice
      : subscriptions.invoiceView(invoice, audience);
  return { data: { id: subscription.id, type: "subscription", attributes: { ...attributes, invoice: concerned } } };
}
