import * as z from "zod/mini";
import type { LifecycleOptions } from "../../kit/engine/lifecycle-rows.ts";
import { anyText, count, shapeOf } from "../../kit/engine/row-schema.ts";
import { amount, metadata, returnUrl, storedMoment, text, webUrl } from "../fields.ts";
import type { Contact, IntentRow, IntentState } from "../payment-intents/machine.ts";
import { storedContact } from "../payment-intents/rows.ts";
import { checkoutDeadlines } from "./machine.ts";
import type { CheckoutData, checkoutMachine, CheckoutRow, CheckoutState } from "./machine.ts";

const checkoutData = shapeOf<CheckoutData>()(() => ({
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

/** The states in which the intent of a session can be, by the state of the session. */
const INTENT_STATES: Readonly<Record<CheckoutState, readonly IntentState[]>> = {
  pending: ["requires_payment_method", "requires_confirmation"],
  processing: ["requires_action", "processing"],
  completed: ["succeeded"],
  failed: ["failed"],
  cancelled: ["canceled"],
  expired: ["canceled"],
};

/** How rows of sessions are checked. */
export const checkoutChecks: Pick<
  LifecycleOptions<typeof checkoutMachine>,
  "data" | "deadlines" | "references" | "drawnFrom"
> = {
  data: checkoutData,
  deadlines: checkoutDeadlines,
  references: { merchantId: "merchants", intentId: "payment_intent" },
  drawnFrom: ["id/cs"],
};

/** Returns what is wrong between a session that its schema accepts and its intent. */
export function problemInSession({ state, data }: CheckoutRow, intent: IntentRow): string | undefined {
  const { purpose, sessionToken, transactionId, amount: charged } = intent.data;
  if (purpose !== "checkout" || sessionToken !== data.sessionToken)
    return `data.intentId is "${intent.id}", an intent that does not pay for this session`;
  if (transactionId !== data.transactionId) return `data.transactionId is not that of ${intent.id}`;
  if (charged !== data.amount) return `data.amount is not that of ${intent.id}`;
  if (!INTENT_STATES[state].includes(intent.state)) return `state is ${state}, and ${intent.id} is ${intent.state}`;
  if (state === "processing" && (data.challengeOpen === true) !== (intent.state === "requires_action"))
    return `data.challengeOpen is ${data.challengeOpen}, and ${intent.id} is ${intent.state}`;
  return undefined;
}
