import type { InvoiceRow } from "./billing.ts";
import type { SubscriptionRow, Subscriptions } from "./commands.ts";

/** What a subscription event carries beside its id, type and time, with the invoice where one is concerned (`webhook.subscription`). */
export function subscriptionEventContent(
  subscription: SubscriptionRow,
  invoice: InvoiceRow | undefined,
  subscriptions: Subscriptions,
): object {
  const audience = { kind: "others" } as const;
  const attributes = subscriptions.view(subscription, audience);
  const concerned = invoice === undefined ? {} : { invoice: subscriptions.invoiceView(invoice, audience) };
  return { data: { id: subscription.id, type: "subscription", attributes: { ...attributes, ...concerned } } };
}
