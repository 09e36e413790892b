import type { FieldProblem } from "./problem.ts";

/** What an error says besides its code and status. */
export interface HttpErrorDetails {
  readonly message: string;
  readonly errors?: readonly FieldProblem[];
  readonly headers?: Readonly<Record<string, string>>;
  /** Further fields of the body. */
  readonly fields?: Readonly<Record<string, unknown>>;
}

/**
 * An error that the service answers. A command that throws it refuses: everything it did is undone. A command that returns it
 * declines: what it did stays.
 */
export class HttpError extends Error {
  /** The service's own name for the error. */
  readonly code: string;
  readonly status: number;
  readonly errors: readonly FieldProblem[];
  readonly headers: Readonly<Record<string, string>>;
  readonly fields: Readonly<Record<string, unknown>>;

  constructor(code: string, status: number, { message, errors = [], headers = {}, fields = {} }: HttpErrorDetails) {
    super(message);
    this.code = code;
    this.status = status;
    this.errors = errors;
    this.headers = headers;
    this.fields = fields;
  }
}
