import * as z from "zod/mini";
import { anyText, shapeOf, textIfAny, timeSpan } from "../../kit/engine/row-schema.ts";
import { amount, currency, metadata, optionalText, returnUrl, storedMoment, webUrl } from "../fields.ts";
import type { Outcome } from "../payment-methods/charge.ts";
import { storedPaymentMethod } from "../payment-methods/commands.ts";
import { declineCodes } from "../decline-codes.ts";
import type { Challenge, Contact, IntentData } from "./machine.ts";

/** The customer in a row. */
export const storedContact = {
  name: textIfAny,
  email: textIfAny,
  phone: textIfAny,
};

const declineCode = z.enum(declineCodes);
const outcome: z.ZodMiniType<Outcome> = z.discriminatedUnion("approved", [
  z.strictObject({ approved: z.literal(true) }),
  z.strictObject({ approved: z.literal(false), declineCode }),
]);

/** The data of an intent in a row. */
export const intentData = shapeOf<IntentData>()(() => ({
  merchantId: anyText,
  purpose: z.enum(["payment_intent", "checkout", "subscription"]),
  subscriptionId: textIfAny,
  invoiceId: textIfAny,
  transactionId: anyText,
  sessionToken: z.uuid(),
  clientKey: anyText,
  amount,
  currency: z.optional(currency),
  description: optionalText,
  externalId: textIfAny,
  contact: z.optional(shapeOf<Contact>()(() => storedContact)),
  metadata: z.optional(metadata),
  returnUrl: z.optional(returnUrl),
  webhookUrl: z.optional(webUrl),
  processingTime: timeSpan,
  wasUnavailable: z.optional(z.literal(true)),
  method: z.optional(storedPaymentMethod),
  challenge: z.optional(
    shapeOf<Challenge>()(() => ({
      id: anyText,
      nextAction: z.enum(["redirect", "display_details"]),
      expiresAt: storedMoment,
    })),
  ),
  outcome: z.optional(outcome),
  holdUp: z.optional(z.union([timeSpan, z.literal("for good")])),
  decidesAt: z.optional(storedMoment),
  declineCode: z.optional(declineCode),
}));
