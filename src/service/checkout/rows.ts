import * as z from "zod/mini";
import { anyText, count, shapeOf } from "../../kit/engine/row-schema.ts";
import { amount, metadata, returnUrl, storedMoment, text, webUrl } from "../fields.ts";
import type { Contact } from "../payment-intents/machine.ts";
import { storedContact } from "../payment-intents/rows.ts";
import type { CheckoutData } from "./machine.ts";

/** The data of a session in a row. */
export const checkoutData = shapeOf<CheckoutData>()(() => ({
  merchantId: anyText,
  sessionToken: z.uuid(),
  transactionId: anyText,
  intentId: anyText,
  externalId: anyText,
  amount,
  description: text,
  webhookUrl: webUrl,
  returnUrl,
  contact: shapeOf<Contact>()(() => storedContact),
  metadata: z.optional(metadata),
  isThirdParty: z.boolean(),
  expiresAt: storedMoment,
  triesLeft: count,
  challengeOpen: z.optional(z.boolean()),
  replacedIntentIds: z.optional(z.array(anyText)),
}));
