import {
  cancelQuery,
  changedSubscription,
  changeMethodBody,
  changePlanBody,
  createPlanBody,
  initiateBody,
  initiatedSubscription,
  invoiceView,
  listPlansQuery,
  listSubscriptionsQuery,
  planList,
  planView,
  processedPayment,
  processPaymentBody,
  subscriptionEvent,
  subscriptionList,
  subscriptionView,
} from "../../src/service/schemas/subscriptions.ts";
import { field, fields, nested, nestedLike, open, optional } from "./field.ts";
import type { Field, Rule, Shape } from "./field.ts";

const ofPlan = open("subscription.plan");
const ofSubscription = open("subscription.fields");
const ofInvoice = open("subscription.invoice");
const ofConfirmation = open("subscription.process-payment", "intent.confirm-response");

const nextAction = (rule: Rule): Field[] => [
  field("redirectUrl", "string", rule),
  ...nested("nextAction", rule, fields("string", "type redirectUrl", rule)),
];
const paymentMethod = (rule: Rule): Field[] => nested("paymentMethod", rule, fields("string", "id type", rule));

const planInput: readonly Field[] = [
  field("amount", "number"),
  field("currency", "string"),
  ...fields("string", "name description interval", ofPlan),
  field("intervalCount", "number", ofPlan),
  field("metadata", "object", ofPlan),
];
const plan: readonly Field[] = [
  field("id", "string"),
  ...planInput,
  ...fields("string", "createdAt updatedAt", ofPlan),
];

const invoice: readonly Field[] = [
  ...fields("string", "id number subscriptionId currency status periodStart periodEnd dueDate", ofInvoice),
  ...fields("number", "amount attemptCount", ofInvoice),
  ...fields("string", "nextAttemptAt paidAt createdAt updatedAt", ofInvoice),
  ...nested("paymentIntent", {}, [
    ...fields("string", "id transactionId currency status clientKey declineCode createdAt updatedAt", ofInvoice),
    field("amount", "number", ofInvoice),
    ...paymentMethod(ofInvoice),
    ...nextAction(ofInvoice),
  ]),
];

const subscription: readonly Field[] = [
  ...fields("string", "id status"),
  ...fields("string", "externalId cancellationReason cancelledAt createdAt updatedAt", ofSubscription),
  ...fields("string", "currentPeriodStart currentPeriodEnd nextBillingAt", ofSubscription),
  ...nestedLike("Plan", "plan", ofSubscription, plan),
  ...nestedLike("Plan", "pendingPlan", ofSubscription, plan),
  ...nested("contact", ofSubscription, fields("string", "name email", ofSubscription)),
  ...paymentMethod(ofSubscription),
  ...nestedLike("Invoice", "latestInvoice", ofSubscription, invoice),
  field("metadata", "object", ofSubscription),
];

const list = open("subscription.bodies");

export const subscriptionShapes: readonly Shape[] = [
  { part: "2.6, 4.3", title: "Plan create, request", schema: createPlanBody, fields: planInput },
  { part: "2.6", title: "Plan", schema: planView, fields: plan },
  {
    part: "4.3",
    title: "Plan list, query",
    schema: listPlansQuery,
    fields: [field("limit", "number"), field("after", "string")],
  },
  {
    part: "4.3",
    title: "Plan list, response",
    schema: planList,
    fields: [field("items", "array", list), field("hasMore", "boolean", list)],
  },
  {
    part: "4.3",
    title: "Subscription initiate, request",
    schema: initiateBody,
    fields: [
      ...fields("string", "planId returnUrl webhookUrl externalId", open("subscription.initiate")),
      ...nested(
        "contact",
        open("subscription.initiate"),
        fields("string", "name email", open("subscription.initiate")),
      ),
      field("metadata", "object", open("subscription.initiate")),
    ],
  },
  {
    part: "4.3",
    title: "Subscription initiate and session, response",
    schema: initiatedSubscription,
    fields: [...subscription, field("sessionToken", "string", open("subscription.initiate", "subscription.session"))],
  },
  {
    part: "4.3",
    title: "Subscription process-payment, request",
    schema: processPaymentBody,
    fields: fields("string", "subscriptionId sessionToken paymentMethodId", open("subscription.process-payment")),
  },
  {
    part: "4.3",
    title: "Subscription process-payment, response",
    schema: processedPayment,
    fields: [
      ...fields("string", "id intentId status", ofConfirmation),
      field("requiresAction", "boolean", ofConfirmation),
      ...nextAction(ofConfirmation),
      ...nestedLike("Subscription", "subscription", open("subscription.process-payment"), subscription),
    ],
  },
  { part: "2.6", title: "Subscription", schema: subscriptionView, fields: subscription },
  {
    part: "4.3",
    title: "Subscription list, query",
    schema: listSubscriptionsQuery,
    fields: [field("status", "string"), field("limit", "number")],
  },
  {
    part: "4.3",
    title: "Subscription list, response",
    schema: subscriptionList,
    fields: [field("items", "array", list), field("hasMore", "boolean", list)],
  },
  {
    part: "4.3",
    title: "Subscription plan change, request",
    schema: changePlanBody,
    fields: [field("planId", "string", list)],
  },
  {
    part: "4.3",
    title: "Subscription payment method change, request",
    schema: changeMethodBody,
    fields: [field("paymentMethodId", "string", list)],
  },
  {
    part: "4.3",
    title: "Subscription payment method change, response",
    schema: changedSubscription,
    fields: [...subscription, ...nestedLike("Invoice", "invoice", list, invoice)],
  },
  {
    part: "4.3",
    title: "Subscription cancel, query",
    schema: cancelQuery,
    fields: [field("reason", "string", optional)],
  },
  { part: "2.6", title: "Invoice", schema: invoiceView, fields: invoice },
  {
    part: "6",
    title: "Subscription webhook",
    schema: subscriptionEvent,
    fields: [
      field("type", "string"),
      field("id", "string", open("webhook.event-id")),
      field("createdAt", "string", open("webhook.subscription")),
      ...nested("data", open("webhook.subscription"), [
        ...fields("string", "id type", open("webhook.subscription")),
        ...nested("attributes", open("webhook.subscription"), [
          ...subscription,
          ...nestedLike("Invoice", "invoice", open("webhook.subscription"), invoice),
        ]),
      ]),
    ],
  },
];
