/** What can be wrong with a call before any command sees it. The service says how each is answered. */
export type ProblemKind =
  | "malformed-body"
  | "body-too-large"
  | "unsupported-media-type"
  | "invalid"
  | "not-found"
  | "method-not-allowed"
  | "rate-limited"
  | "idempotency-key-reused"
  | "idempotency-key-held"
  | "unreadable"
  | "internal";

/** One offending field of a request. */
export interface FieldProblem {
  /** The field's name, nested with dots: `contact.name`. Empty for the body as a whole. */
  readonly path: string;
  readonly message: string;
}

/** What a problem may say beyond its kind. */
export interface ProblemDetails {
  /** A sentence for people; without one the service says what it always says of this kind. */
  readonly detail?: string;
  /** The HTTP status, where it differs from the one that the service gives this kind. */
  readonly status?: number;
  readonly errors?: readonly FieldProblem[];
  readonly headers?: Readonly<Record<string, string>>;
}

/**
 * Thrown where a call cannot be answered as asked. It names no error code and has no body: the service turns it into an
 * `HttpError` of its own.
 */
export class Problem extends Error {
  readonly kind: ProblemKind;
  readonly details: ProblemDetails;

  constructor(kind: ProblemKind, details: ProblemDetails = {}) {
    super(details.detail ?? kind);
    this.kind = kind;
    this.details = details;
  }
}

/** The same complaint about several fields. */
export function fieldProblems(paths: readonly string[], message: string): FieldProblem[] {
  return paths.map((path) => ({ path, message }));
}
