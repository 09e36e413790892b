import { ApiError } from "../api-error.ts";
import type { Challenge, IntentRow } from "./machine.ts";
import { statusOf } from "./status.ts";
import type { Confirmation } from "../schemas/payment-intents.ts";

/** Makes the error for a confirmation whose challenge is open, with the challenge's URL (`intent.challenge-error`). */
export function challengeOpen(intent: IntentRow, publicUrl: string): ApiError {
  const fields = actionOf(intent, publicUrl);
  const message = "Authentication is needed; the customer has to act on the displayed details";
  return new ApiError("3D_SECURE_REQUIRED", fields.redirectUrl === undefined ? { fields, message } : { fields });
}

/** Returns the answer of confirm (2.4). */
export function confirmationOf(intent: IntentRow, publicUrl: string): Confirmation {
  return { id: intent.id, intentId: intent.id, status: statusOf[intent.state], ...actionOf(intent, publicUrl) };
}

/** Returns the customer's next action in the shape of 2.4. */
export function actionOf(
  intent: IntentRow,
  publicUrl: string,
): Pick<Confirmation, "requiresAction" | "redirectUrl" | "nextAction"> {
  const { challenge } = intent.data;
  if (intent.state !== "requires_action" || challenge === undefined) return { requiresAction: false };
  if (challenge.nextAction === "display_details")
    return { requiresAction: true, nextAction: { type: "display_details" } };
  const redirectUrl = challengeAddress(challenge, publicUrl);
  return { requiresAction: true, redirectUrl, nextAction: { type: "redirect", redirectUrl } };
}

/** Returns the URL of a challenge's page (`checkout.url`). */
export function challengeAddress({ id }: Pick<Challenge, "id">, publicUrl: string): string {
  return `${publicUrl}/authenticate/${id}`;
}
