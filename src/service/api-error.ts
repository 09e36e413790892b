import { HttpError } from "../http/http-error.ts";
import type { HttpErrorDetails } from "../http/http-error.ts";
import { fieldProblems } from "../http/problem.ts";
import { errorTable } from "./error-table.ts";
import type { ErrorCode } from "./error-table.ts";

export { fieldProblems } from "../http/problem.ts";

/** What an error may say beyond its row in the table. */
export interface ApiErrorDetails extends Partial<HttpErrorDetails> {
  readonly status?: number;
}

/** An error answer of this service: a row of the table, with what this one says beyond it (`http.refusals`). */
export class ApiError extends HttpError {
  declare readonly code: ErrorCode;

  constructor(code: ErrorCode, details: ApiErrorDetails = {}) {
    const { status, message } = errorTable[code];
    super(code, details.status ?? status, { message, ...details });
  }
}

/** A validation error for a field that a schema alone cannot judge. */
export function invalidField(path: string, message: string): ApiError {
  return new ApiError("VALIDATION_ERROR", { errors: fieldProblems([path], message) });
}
