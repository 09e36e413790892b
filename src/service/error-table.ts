/**
 * Every error that the service answers: its HTTP status (`http.error-status`) and its message (from part 7 when the document gives a
 * sentence, else `http.error-codes`). The first code of each status stands for that status when only the status is known.
 */
export const errorTable = {
  VALIDATION_ERROR: { status: 400, message: "Validation error" },
  MALFORMED_JSON: { status: 400, message: "The body is not valid JSON" },
  PAYMENT_METHOD_INVALID: { status: 400, message: "The payment method is invalid" },
  IDEMPOTENCY_KEY_REUSED: { status: 400, message: "This idempotency key was used before with another body" },
  INVALID_REFRESH_TOKEN: { status: 400, message: "Invalid refresh token" },
  UNSUPPORTED_GRANT_TYPE: { status: 400, message: "The grant type is not supported" },
  UNAUTHORIZED: { status: 401, message: "Invalid access token" },
  INVALID_CREDENTIALS: { status: 401, message: "Invalid credentials" },
  INSUFFICIENT_FUNDS: { status: 402, message: "The customer's balance is insufficient" },
  "3D_SECURE_REQUIRED": { status: 402, message: "Authentication is needed; complete the redirect flow" },
  NOT_FOUND: { status: 404, message: "There is nothing at this URL" },
  INTENT_NOT_FOUND: { status: 404, message: "The payment intent does not exist" },
  PLAN_NOT_FOUND: { status: 404, message: "The plan does not exist" },
  SUBSCRIPTION_NOT_FOUND: { status: 404, message: "The subscription does not exist" },
  TRANSACTION_NOT_FOUND: { status: 404, message: "The transaction does not exist" },
  SESSION_NOT_FOUND: { status: 404, message: "Session not found" },
  METHOD_NOT_ALLOWED: { status: 405, message: "This URL does not support this method" },
  INVALID_STATE: { status: 409, message: "The resource's state does not allow this" },
  IDEMPOTENCY_KEY_IN_USE: { status: 409, message: "The first call with this idempotency key is still being answered" },
  INTENT_ALREADY_CONFIRMED: { status: 409, message: "The payment intent was already confirmed" },
  BODY_TOO_LARGE: { status: 413, message: "The body is larger than 1 MiB" },
  UNSUPPORTED_MEDIA_TYPE: { status: 415, message: "The body's content type is not supported" },
  RATE_LIMITED: { status: 429, message: "Too many requests" },
  INTERNAL_ERROR: { status: 500, message: "Internal error; try again" },
} as const satisfies Record<string, { status: number; message: string }>;

export type ErrorCode = keyof typeof errorTable;

/** Returns the code that stands for a status when only the status is known; undefined for a status that no error has. */
export function codeStandingFor(status: number): ErrorCode | undefined {
  return (Object.keys(errorTable) as ErrorCode[]).find((code) => errorTable[code].status === status);
}

/** Whether an error is a decline: its call was carried out, so the charge stands. */
export function isDecline(code: string | undefined): boolean {
  return code !== undefined && Object.hasOwn(errorTable, code) && errorTable[code as ErrorCode].status === 402;
}

/** Returns the status that an answer means: that of its error in the table, whatever `http.error-status` makes of it. */
export function meantStatus({ status, code }: { readonly status: number; readonly code?: string | undefined }): number {
  return code !== undefined && Object.hasOwn(errorTable, code) ? errorTable[code as ErrorCode].status : status;
}
