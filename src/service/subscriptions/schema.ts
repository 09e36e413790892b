import * as z from "zod";
import {
  amount,
  currency,
  evenIfInvalid,
  metadata,
  optionalText,
  queryInteger,
  returnUrl,
  text,
  timestamp,
  webUrl,
} from "../fields.ts";
import { confirmation, intentStatus, nextAction } from "../payment-intents/schema.ts";
import { paymentMethodName, paymentMethodSummary } from "../payment-methods/schema.ts";
import type { InvoiceState } from "./invoice-machine.ts";
import type { SubscriptionState } from "./machine.ts";

/** The status words of part 3.3, in the document's order. */
export const subscriptionStatus = z.enum([
  "incomplete",
  "incomplete_cancelled",
  "active",
  "past_due",
  "unpaid",
  "cancelled",
]);
export type SubscriptionStatus = z.output<typeof subscriptionStatus>;

/** The wire word of every state of a subscription. */
export const statusOf: Readonly<Record<SubscriptionState, SubscriptionStatus>> = {
  incomplete: "incomplete",
  incomplete_cancelled: "incomplete_cancelled",
  active: "active",
  past_due: "past_due",
  unpaid: "unpaid",
  cancelled: "cancelled",
};

export const invoiceStatus = z.enum(["open", "paid", "void"]);
export type InvoiceStatus = z.output<typeof invoiceStatus>;

/** The wire word of every state of an invoice. Its payment intent shows whether an attempt is in flight. */
export const invoiceStatusOf: Readonly<Record<InvoiceState, InvoiceStatus>> = {
  open: "open",
  charging: "open",
  paid: "paid",
  void: "void",
};

const billingInterval = z.enum(["day", "week", "month", "year"]);

/** Body of plan creation (`subscription.plan`). */
export const createPlanBody = z.object({
  name: text,
  description: optionalText.optional(),
  amount,
  currency: currency.optional(),
  interval: billingInterval,
  intervalCount: z.int().min(1).max(1000).optional(),
  metadata: metadata.optional(),
});
export type CreatePlanBody = z.output<typeof createPlanBody>;

/** A plan in answers (`subscription.plan`). */
export const planView = z.object({
  id: z.string(),
  name: z.string(),
  description: z.string().optional(),
  amount,
  currency: z.string(),
  interval: billingInterval,
  intervalCount: z.int(),
  metadata,
  createdAt: timestamp,
  updatedAt: timestamp,
});
export type PlanView = z.output<typeof planView>;

/** The payment intent of an invoice's latest attempt. */
export const invoiceIntent = z.object({
  id: z.string(),
  transactionId: z.string(),
  amount,
  currency: z.string(),
  status: intentStatus,
  clientKey: z.string().optional().meta({ description: "Only while the invoice is open, never in lists or webhooks" }),
  paymentMethod: paymentMethodSummary.optional(),
  declineCode: z.string().optional(),
  redirectUrl: z.string().optional(),
  nextAction: nextAction.optional(),
  createdAt: timestamp,
  updatedAt: timestamp,
});
export type InvoiceIntent = z.output<typeof invoiceIntent>;

/** An invoice (`subscription.invoice`). */
export const invoiceView = z.object({
  id: z.string(),
  number: z.string(),
  subscriptionId: z.string(),
  amount,
  currency: z.string(),
  status: invoiceStatus,
  periodStart: timestamp,
  periodEnd: timestamp,
  dueDate: timestamp,
  attemptCount: z.int(),
  nextAttemptAt: timestamp.optional(),
  paymentIntent: invoiceIntent,
  paidAt: timestamp.optional(),
  createdAt: timestamp,
  updatedAt: timestamp,
});
export type InvoiceView = z.output<typeof invoiceView>;

const subscriptionContact = z.object({ name: text, email: text });

/** A subscription (`subscription.fields`). */
export const subscriptionView = z.object({
  id: z.string(),
  externalId: z.string().optional(),
  status: subscriptionStatus,
  plan: planView,
  pendingPlan: planView.optional(),
  contact: z.object({ name: z.string(), email: z.string() }),
  paymentMethod: paymentMethodSummary.optional(),
  currentPeriodStart: timestamp.optional(),
  currentPeriodEnd: timestamp.optional(),
  nextBillingAt: timestamp.optional(),
  latestInvoice: invoiceView,
  cancellationReason: z.string().optional(),
  cancelledAt: timestamp.optional(),
  metadata,
  createdAt: timestamp,
  updatedAt: timestamp,
});
export type SubscriptionView = z.output<typeof subscriptionView>;

/** Body of initiate (`subscription.initiate`). */
export const initiateBody = z.object({
  planId: text,
  contact: subscriptionContact,
  returnUrl: returnUrl.optional(),
  webhookUrl: webUrl.optional(),
  externalId: text.optional(),
  metadata: metadata.optional(),
});
export type InitiateBody = z.output<typeof initiateBody>;

/** Answer of initiate: the subscription and its session token. */
export const initiatedSubscription = subscriptionView.extend({ sessionToken: z.uuid() });
export type InitiatedSubscription = z.output<typeof initiatedSubscription>;

/** Body of process-payment (`subscription.process-payment`). */
export const processPaymentBody = z
  .object({ subscriptionId: text.optional(), sessionToken: text.optional(), paymentMethodId: paymentMethodName })
  .superRefine(({ subscriptionId, sessionToken }, context) => {
    if (subscriptionId === undefined && sessionToken === undefined) {
      context.addIssue({
        code: "custom",
        path: ["subscriptionId"],
        message: "is required unless sessionToken is sent",
      });
    }
  }, evenIfInvalid)
  .meta({ anyOf: [{ required: ["subscriptionId"] }, { required: ["sessionToken"] }] });
export type ProcessPaymentBody = z.output<typeof processPaymentBody>;

/** Answer of process-payment: that of confirm, and the subscription. */
export const processedPayment = confirmation.extend({ subscription: subscriptionView });
export type ProcessedPayment = z.output<typeof processedPayment>;

export const changePlanBody = z.object({ planId: text });
export const changeMethodBody = z.object({ paymentMethodId: paymentMethodName });

/** Answer of a change of the payment method: the subscription, and the invoice that is charged, if any (`subscription.bodies`). */
export const changedSubscription = subscriptionView.extend({ invoice: invoiceView.optional() });
export type ChangedSubscription = z.output<typeof changedSubscription>;

export const planPath = z.object({ planId: z.string() });
export const subscriptionPath = z.object({ subscriptionId: z.string() });
const listLimit = queryInteger({ min: 1, max: 100 }).optional();
export const listPlansQuery = z.object({ limit: listLimit, after: text.optional() });
export const listSubscriptionsQuery = z.object({ limit: listLimit, status: subscriptionStatus.optional() });
/** Query of cancel. An empty reason counts as none. */
export const cancelQuery = z.object({ reason: optionalText.optional() });

export const planList = z.object({ items: z.array(planView), hasMore: z.boolean() });
export type PlanList = z.output<typeof planList>;
export const subscriptionList = z.object({ items: z.array(subscriptionView), hasMore: z.boolean() });
export type SubscriptionList = z.output<typeof subscriptionList>;

export const subscriptionEventTypes = [
  "subscription.activated",
  "subscription.past_due",
  "subscription.unpaid",
  "subscription.cancelled",
  "subscription.invoice.paid",
  "subscription.invoice.payment_failed",
] as const;

/** Body of every subscription event (`webhook.subscription`). */
export const subscriptionEvent = z.object({
  id: z.string(),
  type: z.enum(subscriptionEventTypes),
  createdAt: timestamp,
  data: z.object({
    id: z.string(),
    type: z.literal("subscription"),
    attributes: subscriptionView.extend({ invoice: invoiceView.optional() }),
  }),
});
