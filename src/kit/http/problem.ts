/** What can be wrong with a call before a command sees it. The service decides how each kind is answered. */
export type ProblemKind =
  | "malformed-body"
  | "body-too-large"
  | "unsupported-media-type"
  | "invalid"
  | "not-found"
  | "method-not-allowed"
  | "rate-limited"
  | "idempotency-key-reused"
  | "idempotency-key-in-use"
  | "unreadable"
  | "unauthorized"
  | "internal";

/** The status that HTTP itself has for each problem. */
export const STATUS_OF_PROBLEM: Readonly<Record<ProblemKind, number>> = {
  "malformed-body": 400,
  "body-too-large": 413,
  "unsupported-media-type": 415,
  invalid: 400,
  "not-found": 404,
  "method-not-allowed": 405,
  "rate-limited": 429,
  "idempotency-key-reused": 409,
  "idempotency-key-in-use": 409,
  unreadable: 400,
  unauthorized: 401,
  internal: 500,
};

/** One offending field of a request. */
export interface FieldProblem {
  /** The field's name, nested with dots: `contact.name`. Empty for the body as a whole. */
  readonly path: string;
  readonly message: string;
}

/** What a problem may say besides its kind. */
export interface ProblemDetails {
  /** A sentence for people; by default the service's own sentence for this kind. */
  readonly detail?: string;
  /** The HTTP status, if it differs from the one that the service gives this kind. */
  readonly status?: number;
  readonly errors?: readonly FieldProblem[];
  readonly headers?: Readonly<Record<string, string>>;
}

/**
 * Thrown when a call cannot be carried out. It has neither an error code nor a body: the service turns it into its own `HttpError`.
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

/** Returns the same complaint about several fields. */
export function fieldProblems(paths: readonly string[], message: string): FieldProblem[] {
  return paths.map((path) => ({ path, message }));
}
