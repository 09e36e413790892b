import type { InvoiceStatus, SubscriptionStatus } from "../schemas/subscriptions.ts";
import type { InvoiceState } from "./invoice-machine.ts";
import type { SubscriptionState } from "./machine.ts";

/** The wire word of every state of a subscription. */
export const statusOf: Readonly<Record<SubscriptionState, SubscriptionStatus>> = {
  incomplete: "incomplete",
  incomplete_cancelled: "incomplete_cancelled",
  active: "active",
  past_due: "past_due",
  unpaid: "unpaid",
  cancelled: "cancelled",
};

/** The wire word of every state of an invoice. Its payment intent shows whether an attempt is in flight. */
export const invoiceStatusOf: Readonly<Record<InvoiceState, InvoiceStatus>> = {
  open: "open",
  charging: "open",
  paid: "paid",
  void: "void",
};
