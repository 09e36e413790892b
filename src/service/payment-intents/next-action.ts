import { ApiError } from "../api-error.ts";
import type { Challenge, IntentRow } from "./machine.ts";
import { statusOf } from "./status.ts";
import type { Confirmation } from "../schemas/payment-intents.ts";
import { filledPath } from "../../kit/http/route-path.ts";
import type { Assumptions } from "../assumption-table.ts";
import { pagePathsUnder } from "../wire/paths.ts";
import type { PagePaths } from "../wire/paths.ts";

/** Where the customer's pages are. */
export interface PagePlace {
  /** The base URL under which the caller reached the service. */
  readonly publicUrl: string;
  readonly paths: PagePaths;
}

/** Returns the function that finds the customer's pages of a world (`checkout.url`). */
export function placesUnder(assumptions: Assumptions): (publicUrl: string) => PagePlace {
  const paths = pagePathsUnder(assumptions.overrides);
  return (publicUrl) => ({ publicUrl, paths });
}

/** Makes the error for a confirmation whose challenge is open, with the challenge's URL (`intent.challenge-error`). */
export function challengeOpen(intent: IntentRow, place: PagePlace): ApiError {
  const fields = actionOf(intent, place);
  const message = "Authentication is needed; the customer has to act on the displayed details";
  return new ApiError("3D_SECURE_REQUIRED", fields.redirectUrl === undefined ? { fields, message } : { fields });
}

/** Returns the answer of confirm (2.4). */
export function confirmationOf(intent: IntentRow, place: PagePlace): Confirmation {
  return { id: intent.id, intentId: intent.id, status: statusOf[intent.state], ...actionOf(intent, place) };
}

/** Returns the customer's next action in the shape of 2.4. */
export function actionOf(
  intent: IntentRow,
  place: PagePlace,
): Pick<Confirmation, "requiresAction" | "redirectUrl" | "nextAction"> {
  const { challenge } = intent.data;
  if (intent.state !== "requires_action" || challenge === undefined) return { requiresAction: false };
  if (challenge.nextAction === "display_details")
    return { requiresAction: true, nextAction: { type: "display_details" } };
  const redirectUrl = challengeAddress(challenge, place);
  return { requiresAction: true, redirectUrl, nextAction: { type: "redirect", redirectUrl } };
}

/** Returns the URL of a challenge's page (`checkout.url`). */
export function challengeAddress({ id }: Pick<Challenge, "id">, { publicUrl, paths }: PagePlace): string {
  return publicUrl + filledPath(paths.challenge, { challengeId: id });
}
