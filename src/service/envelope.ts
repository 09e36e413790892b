import type { FieldProblem, Problem, ProblemKind } from "../kit/http/problem.ts";
import { ApiError } from "./api-error.ts";
import type { ErrorCode } from "./error-table.ts";
import { AMOUNT_TOO_SMALL, tooSmall } from "./fields.ts";

/** One offending field of a request, as part 7 of the service document shows it. */
export interface FieldError extends FieldProblem {
  readonly code: string;
}

/** The error code for each problem that the kit reports (part 7, `http.error-codes`). */
export const codeOfProblem: Readonly<Record<ProblemKind, ErrorCode>> = {
  "malformed-body": "MALFORMED_JSON",
  "body-too-large": "BODY_TOO_LARGE",
  "unsupported-media-type": "UNSUPPORTED_MEDIA_TYPE",
  invalid: "VALIDATION_ERROR",
  unreadable: "VALIDATION_ERROR",
  unauthorized: "UNAUTHORIZED",
  "not-found": "NOT_FOUND",
  "method-not-allowed": "METHOD_NOT_ALLOWED",
  "rate-limited": "RATE_LIMITED",
  "idempotency-key-reused": "IDEMPOTENCY_KEY_REUSED",
  "idempotency-key-in-use": "IDEMPOTENCY_KEY_IN_USE",
  internal: "INTERNAL_ERROR",
};

/**
 * Makes the service's error for a problem. An amount that is too small is also the top-level message, as in part 7.
 * @param minimum the least amount that the call takes. The schema of the field knows only 1
 */
export function errorOf({ kind, details }: Problem, minimum: number): ApiError {
  const { detail, errors, ...rest } = details;
  const least = tooSmall(minimum);
  const told = errors?.map(({ path, message }) => ({
    path,
    message: message === AMOUNT_TOO_SMALL ? least : message,
  }));
  const inWords = told?.some(({ message }) => message === least) === true ? least : detail;
  return new ApiError(codeOfProblem[kind], {
    ...rest,
    ...(told === undefined ? {} : { errors: told }),
    ...(inWords === undefined ? {} : { message: inWords }),
  });
}
