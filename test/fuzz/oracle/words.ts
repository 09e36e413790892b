/** The words of the service document (part 3), and of the assumptions where it has none. */
export type MethodKind = "card" | "gcash" | "grab_pay";

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

export type PaymentStatus =
  | "requires_payment_method"
  | "requires_confirmation"
  | "requires_action"
  | "processing"
  | "succeeded"
  | "failed"
  | "canceled";
export type SessionStatus = "pending" | "processing" | "completed" | "failed" | "cancelled" | "expired";
export type SubscriptionStatus = "incomplete" | "incomplete_cancelled" | "active" | "past_due" | "unpaid" | "cancelled";

/** What a call is answered: 200 with the status of what was paid, or an error (part 7, `http.error-status`). */
export interface Answer {
  readonly http: number;
  readonly code?: string;
  readonly status?: string;
}

export const refusals = {
  alreadyConfirmed: { http: 409, code: "INTENT_ALREADY_CONFIRMED" },
  challengeOpen: { http: 402, code: "3D_SECURE_REQUIRED" },
  fundsMissing: { http: 402, code: "INSUFFICIENT_FUNDS" },
  methodInvalid: { http: 400, code: "PAYMENT_METHOD_INVALID" },
  methodMissing: { http: 400, code: "VALIDATION_ERROR" },
  processorDown: { http: 500, code: "INTERNAL_ERROR" },
  sessionNotFound: { http: 404, code: "SESSION_NOT_FOUND" },
  wrongState: { http: 409, code: "INVALID_STATE" },
} as const satisfies Record<string, Answer>;
