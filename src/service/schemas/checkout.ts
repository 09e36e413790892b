import * as z from "zod/mini";
import { anyText, textIfAny } from "../../kit/engine/row-schema.ts";
import {
  amount,
  emailAddress,
  metadata,
  personName,
  phoneNumber,
  returnUrl,
  text,
  timestamp,
  webUrl,
} from "../fields.ts";
import { nextAction } from "./payment-intents.ts";
import { paymentMethodName, paymentMethodSummary } from "./payment-methods.ts";

/** The status words of part 3.2, in the document's order. */
export const checkoutStatus = z.enum(["pending", "processing", "completed", "failed", "cancelled", "expired"]);
export type CheckoutStatus = z.output<typeof checkoutStatus>;

/** Body of create (4.2). */
export const createCheckoutBody = z.object({
  externalId: text.check(z.meta({ description: "Unique external reference of the order" })),
  amount,
  description: text.check(z.meta({ description: "Text that the customer sees" })),
  webhookUrl: webUrl,
  returnUrl,
  contact: z.object({
    name: personName,
    email: emailAddress,
    contact: z.optional(phoneNumber).check(z.meta({ description: "Phone number" })),
  }),
  metadata: z.optional(metadata),
  isThirdParty: z.optional(z.boolean()),
});
export type CreateCheckoutBody = z.output<typeof createCheckoutBody>;

/** Answer of create (2.5). */
export const createdCheckout = z.object({
  id: anyText,
  sessionToken: z.uuid(),
  amount,
  fee: z.int().check(z.minimum(0), z.meta({ description: "Centavos; 0 until the method is known" })),
  description: anyText,
  checkoutUrl: anyText,
  expiresAt: timestamp,
  status: checkoutStatus,
  createdAt: timestamp,
});
export type CreatedCheckout = z.output<typeof createdCheckout>;

/** A session as the administrator and the transactions API see it (`checkout.bodies`). */
export const checkoutSession = z.extend(createdCheckout, {
  externalId: anyText,
  contact: z.object({ name: anyText, email: anyText, contact: textIfAny }),
  metadata: z.optional(metadata),
  isThirdParty: z.boolean(),
  paymentMethod: z.optional(paymentMethodSummary),
  transactionId: anyText,
  updatedAt: timestamp,
});
export type CheckoutSession = z.output<typeof checkoutSession>;

/** Answer of polling (`checkout.bodies`). */
export const polledCheckout = z.object({
  sessionToken: anyText,
  status: checkoutStatus,
  transactionId: anyText,
  updatedAt: timestamp,
});
export type PolledCheckout = z.output<typeof polledCheckout>;

/** Answer of process: the answer of polling, and the customer's next action (`checkout.bodies`). */
export const processedCheckout = z.extend(polledCheckout, {
  requiresAction: z.boolean(),
  redirectUrl: textIfAny,
  nextAction: z.optional(nextAction),
});
export type ProcessedCheckout = z.output<typeof processedCheckout>;

/** Body of process (4.2). */
export const processCheckoutBody = z.object({ paymentMethodId: paymentMethodName });
export type ProcessCheckoutBody = z.output<typeof processCheckoutBody>;

export const checkoutEventTypes = [
  "checkout.processing",
  "checkout.completed",
  "checkout.failed",
  "checkout.cancelled",
  "checkout.expired",
] as const;

/** Body of every checkout event (`webhook.checkout`). */
export const checkoutEvent = z.object({
  id: anyText,
  type: z.enum(checkoutEventTypes),
  createdAt: timestamp,
  status: checkoutStatus,
  externalId: anyText,
  sessionToken: anyText,
  transactionId: anyText,
  amount,
  metadata,
});
