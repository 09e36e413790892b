import { toTimestamp } from "../../kit/engine/timestamp.ts";
import type { PaymentIntents } from "./commands.ts";
import { statusOf } from "./status.ts";
import type { IntentRow } from "./machine.ts";

/** Returns a payment intent event's fields, without its id, type and time (`webhook.intent`). */
export function intentEventContent(intent: IntentRow, intents: PaymentIntents): object {
  const { amount, currency, externalId, transactionId, method, declineCode, metadata } = intent.data;
  const attributes = {
    status: statusOf[intent.state],
    amount,
    currency,
    fee: intents.feeOf(intent),
    externalId,
    transactionId,
    paymentMethod: method === undefined ? undefined : { id: method.id, type: method.kind },
    declineCode,
    metadata,
    createdAt: toTimestamp(intent.createdAt),
    updatedAt: toTimestamp(intent.updatedAt),
  };
  return { data: { id: intent.id, type: "payment_intent", attributes } };
}
