import { toTimestamp } from "../../kit/engine/timestamp.ts";
import { fieldProblems } from "../../kit/http/problem.ts";
import type { FieldProblem } from "../../kit/http/problem.ts";
import { ApiError } from "../api-error.ts";
import type { IntentRow } from "../payment-intents/machine.ts";
import type { InvoiceRow } from "./invoice-machine.ts";
import type { SubscriptionRow } from "./machine.ts";
import { isLastPeriod } from "./plan.ts";
import { statusOf } from "./status.ts";

/** The refusal of a command that the status of a subscription does not allow. */
export function wrongState(what: string, { state }: SubscriptionRow): ApiError {
  return new ApiError("INVALID_STATE", {
    message: `The subscription is ${statusOf[state]} and does not allow ${what}`,
  });
}

/** Returns a problem if a call names a subscription and the session token of another one. */
export function sessionProblems(
  merchantId: string,
  subscription: SubscriptionRow | undefined,
  sessionToken: string | undefined,
): FieldProblem[] {
  const isAnother =
    subscription?.data.merchantId === merchantId &&
    sessionToken !== undefined &&
    sessionToken !== subscription.data.sessionToken;
  return isAnother
    ? fieldProblems(["sessionToken"], "must belong to the same subscription as subscriptionId when both are sent")
    : [];
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

/** Returns a warning if the period of a subscription is the last that a `Date` can hold. */
export function warningOfLastPeriod({ id, data: { period } }: SubscriptionRow): string | undefined {
  return period === undefined || !isLastPeriod(period)
    ? undefined
    : `The subscription ${id} is not renewed any more: its period would end after ${toTimestamp(period.end)}, the last moment of a Date.`;
}
