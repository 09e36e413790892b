import * as z from "zod";
import { amount, metadata, returnUrl, text, timestamp, webUrl } from "../fields.ts";
import { nextAction } from "../payment-intents/schema.ts";
import { paymentMethodName, paymentMethodSummary } from "../payment-methods/schema.ts";
import type { CheckoutState } from "./machine.ts";

/** The status words of part 3.2, in the document's order. */
export const checkoutStatus = z.enum(["pending", "processing", "completed", "failed", "cancelled", "expired"]);
export type CheckoutStatus = z.output<typeof checkoutStatus>;

/** The wire word of every state. */
export const statusOf: Readonly<Record<CheckoutState, CheckoutStatus>> = Object.freeze({
  pending: "pending",
  processing: "processing",
  completed: "completed",
  failed: "failed",
  cancelled: "cancelled",
  expired: "expired",
});

/** Body of create (4.2). */
export const createCheckoutBody = z.object({
  externalId: text.meta({ description: "Unique external reference of the order" }),
  amount,
  description: text.meta({ description: "Text that the customer sees" }),
  webhookUrl: webUrl,
  returnUrl,
  contact: z.object({ name: text, email: text, contact: text.optional().meta({ description: "Phone number" }) }),
  metadata: metadata.optional(),
  isThirdParty: z.boolean().optional(),
});
export type CreateCheckoutBody = z.output<typeof createCheckoutBody>;

/** Answer of create (2.5). */
export const createdCheckout = z.object({
  id: z.string(),
  sessionToken: z.uuid(),
  amount,
  fee: z.int().min(0).meta({ description: "Centavos; 0 until the method is known" }),
  description: z.string(),
  checkoutUrl: z.string(),
  expiresAt: timestamp,
  status: checkoutStatus,
  createdAt: timestamp,
});
export type CreatedCheckout = z.output<typeof createdCheckout>;

/** A session as the administrator and the transactions API see it (`checkout.bodies`). */
export const checkoutSession = createdCheckout.extend({
  externalId: z.string(),
  contact: z.object({ name: z.string(), email: z.string(), contact: z.string().optional() }),
  metadata: metadata.optional(),
  isThirdParty: z.boolean(),
  paymentMethod: paymentMethodSummary.optional(),
  transactionId: z.string(),
  updatedAt: timestamp,
});
export type CheckoutSession = z.output<typeof checkoutSession>;

/** Answer of polling (`checkout.bodies`). */
export const polledCheckout = z.object({
  sessionToken: z.string(),
  status: checkoutStatus,
  transactionId: z.string(),
  updatedAt: timestamp,
});
export type PolledCheckout = z.output<typeof polledCheckout>;

/** Answer of process: that of polling, and the customer's next action (`checkout.bodies`). */
export const processedCheckout = polledCheckout.extend({
  requiresAction: z.boolean(),
  redirectUrl: z.string().optional(),
  nextAction: nextAction.optional(),
});
export type ProcessedCheckout = z.output<typeof processedCheckout>;

/** Body of process (4.2). */
export const processCheckoutBody = z.object({ paymentMethodId: paymentMethodName });

export const checkoutEventTypes = [
  "checkout.processing",
  "checkout.completed",
  "checkout.failed",
  "checkout.cancelled",
  "checkout.expired",
] as const;

/** Body of every checkout event (`webhook.checkout`). */
export const checkoutEvent = z.object({
  id: z.string(),
  type: z.enum(checkoutEventTypes),
  createdAt: timestamp,
  status: checkoutStatus,
  externalId: z.string(),
  sessionToken: z.string(),
  transactionId: z.string(),
  amount,
  metadata,
});
