import * as z from "zod/mini";
import { anyText, textIfAny } from "../../kit/engine/row-schema.ts";
import {
  amount,
  currency,
  emailAddress,
  evenIfInvalid,
  leastAmount,
  metadata,
  optionalText,
  personName,
  queryInteger,
  returnUrl,
  text,
  timestamp,
  webUrl,
} from "../fields.ts";
import { confirmation, intentStatus, nextAction } from "./payment-intents.ts";
import { paymentMethodName, paymentMethodSummary } from "./payment-methods.ts";

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

export const invoiceStatus = z.enum(["open", "paid", "void"]);
export type InvoiceStatus = z.output<typeof invoiceStatus>;

const billingInterval = z.enum(["day", "week", "month", "year"]);

/** Body of plan creation (`subscription.plan`). */
export const createPlanBody = z.object({
  name: text,
  description: z.optional(optionalText),
  amount: leastAmount,
  currency: z.optional(currency),
  interval: billingInterval,
  intervalCount: z.optional(z.int().check(z.minimum(1), z.maximum(1000))),
  metadata: z.optional(metadata),
});
export type CreatePlanBody = z.output<typeof createPlanBody>;

/** A plan in answers (`subscription.plan`). */
export const planView = z.object({
  id: anyText,
  name: anyText,
  description: textIfAny,
  amount,
  currency: anyText,
  interval: billingInterval,
  intervalCount: z.int(),
  metadata,
  createdAt: timestamp,
  updatedAt: timestamp,
});
export type PlanView = z.output<typeof planView>;

/** The payment intent of an invoice's latest attempt. */
export const invoiceIntent = z.object({
  id: anyText,
  transactionId: anyText,
  amount,
  currency: anyText,
  status: intentStatus,
  clientKey: z
    .optional(anyText)
    .check(z.meta({ description: "Only while the invoice is open, never in lists or webhooks" })),
  paymentMethod: z.optional(paymentMethodSummary),
  declineCode: textIfAny,
  redirectUrl: textIfAny,
  nextAction: z.optional(nextAction),
  createdAt: timestamp,
  updatedAt: timestamp,
});
export type InvoiceIntent = z.output<typeof invoiceIntent>;

/** An invoice (`subscription.invoice`). */
export const invoiceView = z.object({
  id: anyText,
  number: anyText,
  subscriptionId: anyText,
  amount,
  currency: anyText,
  status: invoiceStatus,
  periodStart: timestamp,
  periodEnd: timestamp,
  dueDate: timestamp,
  attemptCount: z.int(),
  nextAttemptAt: z.optional(timestamp),
  paymentIntent: invoiceIntent,
  paidAt: z.optional(timestamp),
  createdAt: timestamp,
  updatedAt: timestamp,
});
export type InvoiceView = z.output<typeof invoiceView>;

const subscriptionContact = z.object({ name: personName, email: emailAddress });

/** A subscription (`subscription.fields`). */
export const subscriptionView = z.object({
  id: anyText,
  externalId: textIfAny,
  status: subscriptionStatus,
  plan: planView,
  pendingPlan: z.optional(planView),
  contact: z.object({ name: anyText, email: anyText }),
  paymentMethod: z.optional(paymentMethodSummary),
  currentPeriodStart: z.optional(timestamp),
  currentPeriodEnd: z.optional(timestamp),
  nextBillingAt: z.optional(timestamp),
  latestInvoice: invoiceView,
  cancellationReason: textIfAny,
  cancelledAt: z.optional(timestamp),
  metadata,
  createdAt: timestamp,
  updatedAt: timestamp,
});
export type SubscriptionView = z.output<typeof subscriptionView>;

/** Body of initiate (`subscription.initiate`). */
export const initiateBody = z.object({
  planId: text,
  contact: subscriptionContact,
  returnUrl: z.optional(returnUrl),
  webhookUrl: z.optional(webUrl),
  externalId: z.optional(text),
  metadata: z.optional(metadata),
});
export type InitiateBody = z.output<typeof initiateBody>;

/** Answer of initiate: the subscription and its session token. */
export const initiatedSubscription = z.extend(subscriptionView, { sessionToken: z.uuid() });
export type InitiatedSubscription = z.output<typeof initiatedSubscription>;

/** Body of process-payment (`subscription.process-payment`). */
export const processPaymentBody = z
  .object({ subscriptionId: z.optional(text), sessionToken: z.optional(text), paymentMethodId: paymentMethodName })
  .check(
    z.superRefine(({ subscriptionId, sessionToken }, context) => {
      if (subscriptionId === undefined && sessionToken === undefined) {
        context.addIssue({
          code: "custom",
          path: ["subscriptionId"],
          message: "is required unless sessionToken is sent",
        });
      }
    }, evenIfInvalid),
    z.meta({ anyOf: [{ required: ["subscriptionId"] }, { required: ["sessionToken"] }] }),
  );
export type ProcessPaymentBody = z.output<typeof processPaymentBody>;

/** Answer of process-payment: the answer of confirm, and the subscription. */
export const processedPayment = z.extend(confirmation, { subscription: subscriptionView });
export type ProcessedPayment = z.output<typeof processedPayment>;

export const changePlanBody = z.object({ planId: text });
export type ChangePlanBody = z.output<typeof changePlanBody>;
export const changeMethodBody = z.object({ paymentMethodId: paymentMethodName });
export type ChangeMethodBody = z.output<typeof changeMethodBody>;

/** Answer of a change of the payment method: the subscription, and the invoice that is charged, if any (`subscription.bodies`). */
export const changedSubscription = z.extend(subscriptionView, { invoice: z.optional(invoiceView) });
export type ChangedSubscription = z.output<typeof changedSubscription>;

export const planPath = z.object({ planId: anyText });
export const subscriptionPath = z.object({ subscriptionId: anyText });
const listLimit = z.optional(queryInteger({ min: 1, max: 100 }));
export const listPlansQuery = z.object({ limit: listLimit, after: z.optional(text) });
export type ListPlansQuery = z.output<typeof listPlansQuery>;
export const listSubscriptionsQuery = z.object({ limit: listLimit, status: z.optional(subscriptionStatus) });
export type ListSubscriptionsQuery = z.output<typeof listSubscriptionsQuery>;
/** Query of cancel. An empty reason counts as none. */
export const cancelQuery = z.object({ reason: z.optional(optionalText) });
export type CancelQuery = z.output<typeof cancelQuery>;

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
  id: anyText,
  type: z.enum(subscriptionEventTypes),
  createdAt: timestamp,
  data: z.object({
    id: anyText,
    type: z.literal("subscription"),
    attributes: z.extend(subscriptionView, { invoice: z.optional(invoiceView) }),
  }),
});
