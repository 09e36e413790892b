import * as z from "zod/mini";
import type { LifecycleOptions } from "../../kit/engine/lifecycle-rows.ts";
import { anyText, shapeOf, textIfAny, timeSpan } from "../../kit/engine/row-schema.ts";
import { amount, currency, metadata, optionalText, returnUrl, storedMoment, webUrl } from "../fields.ts";
import type { Outcome } from "../payment-methods/charge.ts";
import { storedPaymentMethod } from "../payment-methods/commands.ts";
import { declineCodes } from "../payment-methods/test-methods.ts";
import { intentDeadlines } from "./machine.ts";
import type { Challenge, Contact, IntentData, IntentRow, IntentState, paymentIntentMachine } from "./machine.ts";

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

const intentData = shapeOf<IntentData>()(() => ({
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

/** The data that an intent has in each state, besides its terms. */
const NEEDED: Readonly<Record<IntentState, readonly (keyof IntentData)[]>> = {
  requires_payment_method: [],
  requires_confirmation: ["method"],
  requires_action: ["method", "outcome", "challenge"],
  processing: ["method", "outcome"],
  succeeded: ["method", "outcome"],
  failed: ["method", "outcome", "declineCode"],
  canceled: [],
};

/** How rows of intents are checked. */
export const intentChecks: Pick<
  LifecycleOptions<typeof paymentIntentMachine>,
  "data" | "deadlines" | "references" | "drawnFrom"
> = {
  data: intentData,
  deadlines: intentDeadlines,
  references: { merchantId: "merchants" },
  drawnFrom: ["id/pi", "id/txn", "token/session", "secret/client-key"],
};

/** Returns what is wrong with an intent that its schema accepts. */
export function problemInIntent({ state, data }: IntentRow): string | undefined {
  const missing = NEEDED[state].find((field) => data[field] === undefined);
  if (missing !== undefined) return `data.${missing} is missing, and the intent is ${state}`;
  if (state === "processing" && data.decidesAt === undefined && data.holdUp !== "for good")
    return "data.decidesAt is missing, and the intent is processing";
  return undefined;
}
