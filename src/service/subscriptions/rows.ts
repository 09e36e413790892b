import * as z from "zod/mini";
import { anyText, count, shapeOf, textIfAny } from "../../kit/engine/row-schema.ts";
import { amount, currency, metadata, optionalText, returnUrl, storedMoment, text, webUrl } from "../fields.ts";
import { storedContact } from "../payment-intents/rows.ts";
import { storedPaymentMethod } from "../payment-methods/commands.ts";
import { MOST_RETRIES } from "./invoice-machine.ts";
import type { InvoiceData } from "./invoice-machine.ts";
import type { SubscriptionData } from "./machine.ts";
import type { Period, Plan } from "./plan.ts";

const billingPeriod = shapeOf<Period>()(() => ({ start: storedMoment, end: storedMoment })).check(
  z.refine(({ start, end }) => start < end, "it ends before it starts"),
);

/** A plan in a row. */
export const storedPlan = shapeOf<Plan>()(() => ({
  id: anyText,
  merchantId: anyText,
  name: text,
  description: z.optional(optionalText),
  amount,
  currency,
  interval: z.enum(["day", "week", "month", "year"]),
  intervalCount: z.int().check(z.minimum(1), z.maximum(1000)),
  metadata: z.optional(metadata),
  createdAt: storedMoment,
}));

/** The data of a subscription in a row. */
export const subscriptionData = shapeOf<SubscriptionData>()(() => ({
  merchantId: anyText,
  sessionToken: z.uuid(),
  plan: storedPlan,
  contact: shapeOf<SubscriptionData["contact"]>()(() => ({ ...storedContact, name: anyText, email: anyText })),
  externalId: textIfAny,
  metadata: z.optional(metadata),
  returnUrl: z.optional(returnUrl),
  webhookUrl: z.optional(webUrl),
  firstPaymentDue: storedMoment,
  method: z.optional(storedPaymentMethod),
  pendingPlan: z.optional(storedPlan),
  anchor: z.optional(storedMoment),
  cycle: z.optional(count),
  period: z.optional(billingPeriod),
  firstPaymentInFlight: z.optional(z.boolean()),
  firstPaymentOverdue: z.optional(z.boolean()),
  methodNamed: z.optional(z.boolean()),
  openCycles: z.optional(count),
  failedRetries: z.optional(z.int().check(z.minimum(0), z.maximum(MOST_RETRIES))),
  cancellationReason: textIfAny,
  cancelledAt: z.optional(storedMoment),
}));

/** The data of an invoice in a row. */
export const invoiceData = shapeOf<InvoiceData>()(() => ({
  merchantId: anyText,
  subscriptionId: anyText,
  number: anyText,
  amount,
  currency,
  period: billingPeriod,
  intentId: anyText,
  dunning: z.boolean(),
  attemptCount: count,
  automatic: z.optional(z.boolean()),
  challenged: z.optional(z.boolean()),
  intentUsed: z.optional(z.boolean()),
  firstFailureAt: z.optional(storedMoment),
  failedRetries: z.int().check(z.minimum(0), z.maximum(MOST_RETRIES)),
  nextAttemptAt: z.optional(storedMoment),
  ended: z.optional(z.boolean()),
  voidUnlessPaid: z.optional(z.boolean()),
  paidAt: z.optional(storedMoment),
}));
