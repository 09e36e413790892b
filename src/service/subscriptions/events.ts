import type { Subscriptions } from "./commands.ts";
import { subscriptionView } from "./views.ts";
import type { InvoiceRow } from "./invoice-machine.ts";
import type { SubscriptionRow } from "./machine.ts";

const OTHERS = { kind: "others" } as const;

/** Returns the maker of a subscription event's fields, without its id, type and time (`webhook.subscription`). */
export function subscriptionEventContent(
  subscription: SubscriptionRow,
  invoice: InvoiceRow | undefined,
  subscriptions: Subscriptions,
): object {
  const latest = subscriptions.billing.latestOf(subscription.id);
  const viewOf = (shown: InvoiceRow) => subscriptions.invoiceView(shown, OTHERS);
  const latestInvoice = viewOf(latest);
  const attributes = subscriptionView(subscription, latestInvoice);
  // Most events are about the latest invoice.
  const concerned = invoice === undefined ? {} : { invoice: invoice === latest ? latestInvoice : viewOf(invoice) };
  return { data: { id: subscription.id, type: "subscription", attributes: { ...attributes, ...concerned } } };
}
