import * as z from "zod";
import type { LifecycleOptions } from "../../engine/lifecycle-rows.ts";
import { count, shapeOf } from "../../engine/row-schema.ts";
import { amount, currency, metadata, optionalText, returnUrl, storedMoment, text, webUrl } from "../fields.ts";
import { storedContact } from "../payment-intents/rows.ts";
import { storedPaymentMethod } from "../payment-methods/commands.ts";
import { invoiceDeadlines, invoiceWhenDue, MOST_RETRIES } from "./invoice-machine.ts";
import type { InvoiceData, invoiceMachine } from "./invoice-machine.ts";
import { subscriptionDeadlines, subscriptionWhenDue } from "./machine.ts";
import type { SubscriptionData, subscriptionMachine } from "./machine.ts";
import type { Period, Plan } from "./plan.ts";

const billingPeriod = shapeOf<Period>()({ start: storedMoment, end: storedMoment }).refine(
  ({ start, end }) => start < end,
  "it ends before it starts",
);

/** A plan in a row. */
export const storedPlan = shapeOf<Plan>()({
  id: z.string(),
  merchantId: z.string(),
  name: text,
  description: optionalText.optional(),
  amount,
  currency,
  interval: z.enum(["day", "week", "month", "year"]),
  intervalCount: z.int().min(1).max(1000),
  metadata: metadata.optional(),
  createdAt: storedMoment,
});

const subscriptionData = shapeOf<SubscriptionData>()({
  merchantId: z.string(),
  sessionToken: z.uuid(),
  plan: storedPlan,
  contact: shapeOf<SubscriptionData["contact"]>()({ ...storedContact, name: text, email: text }),
  externalId: z.string().optional(),
  metadata: metadata.optional(),
  returnUrl: returnUrl.optional(),
  webhookUrl: webUrl.optional(),
  firstPaymentDue: storedMoment,
  method: storedPaymentMethod.optional(),
  pendingPlan: storedPlan.optional(),
  anchor: storedMoment.optional(),
  cycle: count.optional(),
  period: billingPeriod.optional(),
  firstPaymentInFlight: z.boolean().optional(),
  firstPaymentOverdue: z.boolean().optional(),
  methodNamed: z.boolean().optional(),
  openCycles: count.optional(),
  failedRetries: z.int().min(0).max(MOST_RETRIES).optional(),
  cancellationReason: z.string().optional(),
  cancelledAt: storedMoment.optional(),
});

const invoiceData = shapeOf<InvoiceData>()({
  merchantId: z.string(),
  subscriptionId: z.string(),
  number: z.string(),
  amount,
  currency,
  period: billingPeriod,
  intentId: z.string(),
  dunning: z.boolean(),
  attemptCount: count,
  automatic: z.boolean().optional(),
  challenged: z.boolean().optional(),
  intentUsed: z.boolean().optional(),
  firstFailureAt: storedMoment.optional(),
  failedRetries: z.int().min(0).max(MOST_RETRIES),
  nextAttemptAt: storedMoment.optional(),
  ended: z.boolean().optional(),
  voidUnlessPaid: z.boolean().optional(),
  paidAt: storedMoment.optional(),
});

type Checks<Machine extends typeof subscriptionMachine | typeof invoiceMachine> = Pick<
  LifecycleOptions<Machine>,
  "data" | "deadlines" | "whenDue" | "references" | "drawnFrom"
>;

/** How rows of subscriptions are checked. */
export const subscriptionChecks: Checks<typeof subscriptionMachine> = {
  data: subscriptionData,
  deadlines: subscriptionDeadlines,
  whenDue: subscriptionWhenDue,
  references: { merchantId: "merchants" },
  drawnFrom: ["id/sub"],
};

/** How rows of invoices are checked. */
export const invoiceChecks: Checks<typeof invoiceMachine> = {
  data: invoiceData,
  deadlines: invoiceDeadlines,
  whenDue: invoiceWhenDue,
  references: { merchantId: "merchants", subscriptionId: "subscription", intentId: "payment_intent" },
  drawnFrom: ["id/inv"],
};
