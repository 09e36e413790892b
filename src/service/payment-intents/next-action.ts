import { ApiError } from "../api-error.ts";
import type { Challenge, IntentRow } from "./machine.ts";
import type { Confirmation } from "./schema.ts";

/** The error of a confirmation repeated while the challenge is open, with the way to it (`intent.challenge-error`). */
export function challengeOpen(intent: IntentRow, publicUrl: string): ApiError {
  return new ApiError("3D_SECURE_REQUIRED", { fields: actionOf(intent, publicUrl) });
}

/** What the customer must do now, as 2.4 shows it. */
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

/** The page on which the customer meets a challenge (`checkout.url`). */
export function challengeAddress({ id }: Challenge, publicUrl: string): string {
  return `${publicUrl}/authenticate/${id}`;
}
