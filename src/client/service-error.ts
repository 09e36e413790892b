import type { FieldError } from "../service/envelope.ts";
import type { ErrorCode } from "../service/error-table.ts";

/** Every code that the service may answer (part 7, `http.error-codes`). */
export type ServiceErrorCode = ErrorCode;

/**
 * An error answer of the service, or an answer that cannot be read.
 *
 * @example
 * try {
 *   await client.paymentIntents.confirm(intent.id, { paymentMethodId: "pm_card_challenge" });
 * } catch (error) {
 *   if (error instanceof ServiceError && error.code === "3D_SECURE_REQUIRED") redirectTo(error.redirectUrl);
 * }
 */
export class ServiceError extends Error {
  override readonly name = "ServiceError";
  /** The call, such as `POST /api/payment-intent`. */
  readonly call: string;
  /** The HTTP status. */
  readonly status: number;
  /** Undefined where the answer has none: a gateway's page, or an answer cut short. */
  readonly code: ServiceErrorCode | undefined;
  /** The offending fields of a validation error, all at once. */
  readonly errors: readonly FieldError[];
  /** Whether the customer must act before the call can succeed: true with `3D_SECURE_REQUIRED`. */
  readonly requiresAction: boolean;
  /** Where the customer acts, with `3D_SECURE_REQUIRED`. */
  readonly redirectUrl: string | undefined;
  /** The whole answer: parsed where it is JSON, as text where it is not. */
  readonly body: unknown;

  constructor(call: string, status: number, body: unknown) {
    const fields = isRecord(body) ? body : {};
    const message = typeof fields["message"] === "string" ? fields["message"] : "the answer is not the service's JSON";
    const errors = (Array.isArray(fields["errors"]) ? fields["errors"] : []) as FieldError[];
    const problems = errors.map(({ path, message: problem }) => `${path}: ${problem}`).join("; ");
    super(`${call} answered ${status}: ${message}${problems === "" ? "" : ` (${problems})`}`);
    this.call = call;
    this.status = status;
    this.code = typeof fields["code"] === "string" ? (fields["code"] as ServiceErrorCode) : undefined;
    this.errors = errors;
    this.requiresAction = fields["requiresAction"] === true;
    this.redirectUrl = typeof fields["redirectUrl"] === "string" ? fields["redirectUrl"] : undefined;
    this.body = body;
  }
}

/** The `data` of an answer. @throws {ServiceError} for an error answer, and for one that is no envelope */
export async function readAnswer(call: string, response: Response): Promise<unknown> {
  const body = await readBody(response);
  if (response.ok && isRecord(body) && body["success"] === true) return body["data"];
  throw new ServiceError(call, response.status, body);
}

/** The answer as JSON, or as text where it is none. */
export async function readBody(response: Response): Promise<unknown> {
  const text = await response.text();
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return text;
  }
}

export function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
