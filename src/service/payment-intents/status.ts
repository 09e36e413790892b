import type { IntentStatus } from "../schemas/payment-intents.ts";
import type { IntentState } from "./machine.ts";

/** The wire word of every state. Only the answer of create can say `pending` (`intent.pending`). */
export const statusOf: Readonly<Record<IntentState, IntentStatus>> = Object.freeze({
  requires_payment_method: "requires_payment_method",
  requires_confirmation: "requires_confirmation",
  requires_action: "requires_action",
  processing: "processing",
  succeeded: "succeeded",
  canceled: "canceled",
  failed: "failed",
});
