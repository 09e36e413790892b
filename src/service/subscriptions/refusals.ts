import { ApiError } from "../api-error.ts";
import type { IntentRow } from "../payment-intents/machine.ts";
import type { InvoiceRow } from "./invoice-machine.ts";
import type { SubscriptionRow } from "./machine.ts";
import { statusOf } from "./schema.ts";

/** The refusal of a command that the status of a subscription does not allow. */
export function wrongState(what: string, { state }: SubscriptionRow): ApiError {
  return new ApiError("INVALID_STATE", {
    message: `The subscription is ${statusOf[state]} and does not allow ${what}`,
  });
}

/** The refusal of a payment while another payment of the same invoice has not ended. */
export function paymentUnderWay(
  { state }: SubscriptionRow,
  { data: { number } }: InvoiceRow,
  intent: IntentRow,
): ApiError {
  const next =
    intent.state === "requires_action"
      ? "waits for the customer's challenge; process-payment answers its URL. Let the customer pass or fail it, or let it expire"
      : "is in flight; wait until it ends";
  return new ApiError("INVALID_STATE", {
    message: `The subscription is ${statusOf[state]}, and a payment of invoice ${number} ${next}`,
  });
}
