/** Why a payment is declined. */
export const declineCodes = [
  "generic_decline",
  "card_expired",
  "cvc_invalid",
  "fraudulent",
  "blocked",
  "insufficient_funds",
  "processor_blocked",
  "processor_unavailable",
  "lost_card",
  "stolen_card",
  "authentication_failed",
  "authentication_expired",
  "3D_SECURE_REQUIRED",
] as const;
export type DeclineCode = (typeof declineCodes)[number];
