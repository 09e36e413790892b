import { isMarked } from "../kit/base/errors/marked-class.ts";
import type { FieldError } from "../service/envelope.ts";
import type { ErrorCode } from "../service/error-table.ts";
import { Reading } from "../service/wire/reading.ts";
import type { AnsweredCall } from "../service/wire/reading.ts";

/** The error codes of the service (part 7, `http.error-codes`). */
export type ServiceErrorCode = ErrorCode;

const mark = Symbol.for("centavo.ServiceError");

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
  /** The error code; undefined if the answer has none, such as a gateway's page or a truncated answer. */
  readonly code: ServiceErrorCode | undefined;
  /** All invalid fields, for a validation error. */
  readonly errors: readonly FieldError[];
  /** Whether the customer must act before the call can succeed: true with `3D_SECURE_REQUIRED`. */
  readonly requiresAction: boolean;
  /** The page where the customer must act, with `3D_SECURE_REQUIRED`. */
  readonly redirectUrl: string | undefined;
  /** The whole answer: parsed if it is JSON, otherwise as text. */
  readonly body: unknown;

  /** @param reading how the answer is read; by default as the service answers without other assumptions */
  constructor(call: string, status: number, body: unknown, reading: Reading = new Reading()) {
    const { message = "the answer is not the service's JSON", ...read } = reading.failure(status, body);
    const problems = read.errors.map(({ path, message: problem }) => `${path}: ${problem}`).join("; ");
    const isTold = read.errors.some(({ message: problem }) => problem === message);
    super(`${call} answered ${status}: ${isTold ? problems : `${message}${problems === "" ? "" : ` (${problems})`}`}`);
    this.call = call;
    this.status = status;
    this.code = read.code;
    this.errors = read.errors;
    this.requiresAction = read.requiresAction;
    this.redirectUrl = read.redirectUrl;
    this.body = body;
  }

  /** @internal */
  get [mark](): true {
    return true;
  }

  static {
    // A bundler renames a class that names itself, and Node prints the class of an uncaught error.
    Object.defineProperty(this, "name", { value: "ServiceError" });
  }

  /** @internal An instance of the other build's class counts too. Subclasses are checked as usual. */
  static override [Symbol.hasInstance](value: unknown): boolean {
    return this === ServiceError ? isMarked(value, mark) : super[Symbol.hasInstance](value);
  }
}

/** Returns the `data` of an answer. @throws {ServiceError} for an error answer, and for one that is not a success */
export async function readAnswer(
  call: string,
  response: Response,
  reading: Reading,
  answered: AnsweredCall,
): Promise<unknown> {
  const body = await readBody(response);
  const success = response.ok ? reading.success(body, answered) : undefined;
  if (success === undefined) throw new ServiceError(call, response.status, body, reading);
  return success.data;
}

/** Returns the body parsed as JSON, or as text if it is not JSON. */
export async function readBody(response: Response): Promise<unknown> {
  const text = await response.text();
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return text;
  }
}
