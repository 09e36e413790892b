import type { AssumptionId } from "../../src/service/assumption-table.ts";
import type { ErrorCode } from "../../src/service/error-table.ts";
import { assumed } from "./verdict.ts";
import type { Verdict } from "./verdict.ts";

/** An error of part 7, under the code that Centavo gives it. */
export interface DocumentedError {
  /** As the document has it: a code, or a sentence. */
  readonly label: string;
  readonly code: ErrorCode;
  readonly verdict: Verdict;
}

const named = (label: ErrorCode): DocumentedError => ({ label, code: label, verdict: "supported" });
const sentence = (label: string, code: ErrorCode): DocumentedError => ({
  label,
  code,
  verdict: assumed("http.error-codes"),
});

export const documentedErrors: readonly DocumentedError[] = [
  sentence("Amount must be at least 1 (in cents)", "VALIDATION_ERROR"),
  sentence("Session not found", "SESSION_NOT_FOUND"),
  sentence("Invalid access token", "UNAUTHORIZED"),
  sentence("Validation error", "VALIDATION_ERROR"),
  sentence("Invalid credentials", "INVALID_CREDENTIALS"),
  sentence("Token expired", "UNAUTHORIZED"),
  sentence("Invalid refresh token", "INVALID_REFRESH_TOKEN"),
  named("PAYMENT_METHOD_INVALID"),
  named("INSUFFICIENT_FUNDS"),
  named("3D_SECURE_REQUIRED"),
  named("INTENT_ALREADY_CONFIRMED"),
  named("INTENT_NOT_FOUND"),
  named("UNAUTHORIZED"),
  named("INTERNAL_ERROR"),
];

/** The codes that the document does not have, and what calls for them. */
export const ownErrors: Readonly<Partial<Record<ErrorCode, AssumptionId>>> = {
  MALFORMED_JSON: "http.error-codes",
  IDEMPOTENCY_KEY_REUSED: "http.idempotency-key",
  IDEMPOTENCY_KEY_IN_USE: "http.idempotency-key",
  UNSUPPORTED_GRANT_TYPE: "auth.token-errors",
  PLAN_NOT_FOUND: "http.error-codes",
  SUBSCRIPTION_NOT_FOUND: "http.error-codes",
  TRANSACTION_NOT_FOUND: "http.error-codes",
  NOT_FOUND: "http.error-codes",
  METHOD_NOT_ALLOWED: "http.error-codes",
  INVALID_STATE: "http.error-codes",
  BODY_TOO_LARGE: "http.bounds",
  UNSUPPORTED_MEDIA_TYPE: "http.error-codes",
  RATE_LIMITED: "http.rate-limit",
};

/** A limit of part 8. */
export interface Limit {
  readonly limit: string;
  readonly value: string;
  readonly verdict: Verdict;
}

export const limits: readonly Limit[] = [
  { limit: "Checkout amount", value: "at least 1 centavo, integer", verdict: "supported" },
  {
    limit: "Checkout session lifetime",
    value: "`expiresAt`, after which the status is `expired`",
    verdict: assumed("checkout.lifetime"),
  },
  { limit: "Transactions page size", value: "1 to 100, default 10", verdict: "supported" },
  { limit: "Unpaid subscription auto-cancellation", value: "after 24 hours", verdict: "supported" },
  { limit: "Payment retries before unpaid", value: "3", verdict: "supported" },
];

/** An event of part 6: what its type begins with, and what stands behind it. */
export interface EventRow {
  readonly source: string;
  readonly event: string;
  readonly verdict: Verdict;
}

const subscriptionEvents = ["activated", "past_due", "unpaid", "cancelled", "invoice.paid", "invoice.payment_failed"];

export const events: readonly EventRow[] = [
  { source: "Checkout", event: "checkout.", verdict: assumed("webhook.checkout") },
  { source: "Payment intent", event: "payment_intent.", verdict: "supported" },
  ...subscriptionEvents.map((event): EventRow => ({
    source: "Subscription",
    event: `subscription.${event}`,
    verdict: "supported",
  })),
];
