import { HttpError } from "../kit/http/http-error.ts";
import type { HttpErrorDetails } from "../kit/http/http-error.ts";
import { fieldProblems } from "../kit/http/problem.ts";
import { errorTable } from "./error-table.ts";
import type { ErrorCode } from "./error-table.ts";

/** The parts of an error that its row in the table does not fix. */
export interface ApiErrorDetails extends Partial<HttpErrorDetails> {
  readonly status?: number;
}

/** An error that this service answers: a row of the table, and the details of this case (`http.refusals`). */
export class ApiError extends HttpError {
  declare readonly code: ErrorCode;

  constructor(code: ErrorCode, details: ApiErrorDetails = {}) {
    const { status, message } = errorTable[code];
    super(code, details.status ?? status, { message, ...details });
  }
}

/** Makes a validation error for a field that a schema alone cannot check. */
export function invalidField(path: string, message: string): ApiError {
  return new ApiError("VALIDATION_ERROR", { errors: fieldProblems([path], message) });
}
