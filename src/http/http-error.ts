import type { FieldProblem } from "./problem.ts";

/** What an error says beyond its code and status. */
export interface HttpErrorDetails {
  readonly message: string;
  readonly errors?: readonly FieldProblem[];
  readonly headers?: Readonly<Record<string, string>>;
  /** Further fields of the body. */
  readonly fields?: Readonly<Record<string, unknown>>;
}

/**
 * An error answer, whose body the service writes. A command that throws it refuses, and the world stays as it was. A command
 * that returns it declines, and what the command did stands.
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
