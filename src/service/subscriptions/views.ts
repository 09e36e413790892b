import type { ByStatus } from "../../kit/declaration/filter.ts";
import type { Owned, Reader } from "../../kit/declaration/reader.ts";
import { toTimestamp } from "../../kit/engine/timestamp.ts";
import { DEFAULT_CURRENCY } from "../currencies.ts";
import { actionOf } from "../payment-intents/next-action.ts";
import type { PagePlace } from "../payment-intents/next-action.ts";
import { statusOf as intentStatusOf } from "../payment-intents/status.ts";
import { isLastPeriod } from "./plan.ts";
import type { Plan } from "./plan.ts";
import { invoiceStatusOf, statusOf } from "./status.ts";
import type {
  InvoiceIntent,
  InvoiceStatus,
  InvoiceView,
  PlanView,
  SubscriptionStatus,
  SubscriptionView,
} from "../schemas/subscriptions.ts";
import type { IntentRow } from "../payment-intents/machine.ts";
import type { InvoiceRow } from "./invoice-machine.ts";
import type { SubscriptionRow } from "./machine.ts";

/** The reader of a view. Client keys and challenge URLs are shown only to the merchant who reads one subscription. */
export type Audience = { readonly kind: "owner"; readonly publicUrl: string } | { readonly kind: "others" };

/** How a test reads plans, subscriptions and invoices. */
export interface SubscriptionReaders {
  /** The plans of every merchant. */
  readonly plans: Reader<Owned<PlanView>>;
  /** The subscriptions of every merchant. */
  readonly subscriptions: Reader<Owned<SubscriptionView>, ByStatus<SubscriptionStatus>>;
  /** The invoices of every merchant. */
  readonly invoices: Reader<Owned<InvoiceView>, ByStatus<InvoiceStatus>>;
}

export function planView({ merchantId: _merchantId, createdAt: created, ...plan }: Plan): PlanView {
  const createdAt = toTimestamp(created);
  return { metadata: {}, ...plan, createdAt, updatedAt: createdAt };
}

export function invoiceView(
  invoice: InvoiceRow,
  intent: IntentRow,
  audience: Audience,
  placeAt: (publicUrl: string) => PagePlace,
): InvoiceView {
  const { number, subscriptionId, amount, currency, period, attemptCount, paidAt } = invoice.data;
  // Until the attempt in flight ends, it is open whether and when another follows.
  const nextAttemptAt = invoice.state === "charging" ? undefined : invoice.data.nextAttemptAt;
  const status = invoiceStatusOf[invoice.state];
  return {
    id: invoice.id,
    number,
    subscriptionId,
    amount,
    currency,
    status,
    periodStart: toTimestamp(period.start),
    periodEnd: toTimestamp(period.end),
    dueDate: toTimestamp(invoice.createdAt),
    attemptCount,
    ...(nextAttemptAt === undefined ? {} : { nextAttemptAt: toTimestamp(nextAttemptAt) }),
    paymentIntent: intentView(intent, status === "open" ? audience : { kind: "others" }, placeAt),
    ...(paidAt === undefined ? {} : { paidAt: toTimestamp(paidAt) }),
    createdAt: toTimestamp(invoice.createdAt),
    updatedAt: toTimestamp(invoice.updatedAt),
  };
}

export function subscriptionView(subscription: SubscriptionRow, latestInvoice: InvoiceView): SubscriptionView {
  const {
    externalId,
    plan,
    pendingPlan,
    contact,
    method,
    period,
    cancellationReason,
    cancelledAt,
    metadata = {},
  } = subscription.data;
  const status = statusOf[subscription.state];
  const isBilled = status === "active" || status === "past_due" || status === "unpaid";
  return {
    id: subscription.id,
    ...(externalId === undefined ? {} : { externalId }),
    status,
    plan: planView(plan),
    ...(pendingPlan === undefined ? {} : { pendingPlan: planView(pendingPlan) }),
    contact: { name: contact.name, email: contact.email },
    ...(method === undefined ? {} : { paymentMethod: { id: method.id, type: method.kind } }),
    ...(period === undefined
      ? {}
      : { currentPeriodStart: toTimestamp(period.start), currentPeriodEnd: toTimestamp(period.end) }),
    ...(period !== undefined && isBilled && !isLastPeriod(period) ? { nextBillingAt: toTimestamp(period.end) } : {}),
    latestInvoice,
    ...(cancellationReason === undefined ? {} : { cancellationReason }),
    ...(cancelledAt === undefined ? {} : { cancelledAt: toTimestamp(cancelledAt) }),
    metadata,
    createdAt: toTimestamp(subscription.createdAt),
    updatedAt: toTimestamp(subscription.updatedAt),
  };
}

function intentView(intent: IntentRow, audience: Audience, placeAt: (publicUrl: string) => PagePlace): InvoiceIntent {
  const { transactionId, amount, currency = DEFAULT_CURRENCY, clientKey, method, declineCode } = intent.data;
  const { redirectUrl, nextAction } = audience.kind === "owner" ? actionOf(intent, placeAt(audience.publicUrl)) : {};
  return {
    id: intent.id,
    transactionId,
    amount,
    currency,
    status: intentStatusOf[intent.state],
    ...(audience.kind === "owner" ? { clientKey } : {}),
    ...(method === undefined ? {} : { paymentMethod: { id: method.id, type: method.kind } }),
    ...(declineCode === undefined ? {} : { declineCode }),
    ...(redirectUrl === undefined ? {} : { redirectUrl }),
    ...(nextAction === undefined ? {} : { nextAction }),
    createdAt: toTimestamp(intent.createdAt),
    updatedAt: toTimestamp(intent.updatedAt),
  };
}
