import { isMarked } from "./marked-class.ts";
import { printable } from "./printable.ts";

/** The stable codes of Centavo's errors. Messages may improve; codes do not change. */
export const centavoErrorCodes = [
  "CLOCK_AUTO_FAILED",
  "CLOCK_BACKWARDS",
  "CLOCK_BUSY",
  "CLOCK_LIMIT",
  "CLOCK_TIMER_FAILED",
  "INTERCEPTION_CONFLICT",
  "INTERCEPTION_REFUSED",
  "INVALID_ASSUMPTION",
  "INVALID_DURATION",
  "INVALID_FAULT",
  "INVALID_OPTION",
  "INVALID_RECORDING",
  "INVALID_SNAPSHOT",
  "INVALID_STATE",
  "INVALID_TRAFFIC",
  "INVALID_URL",
  "MACHINE_DEFECT",
  "NESTED_UNIT",
  "NOT_CONNECTED",
  "NOT_FOUND",
  "NOT_SETTLED",
  "REPLAY_DIVERGED",
  "SWALLOWED_ERRORS",
  "TEST_TIMED_OUT",
  "UNEXPECTED_REQUEST",
  "UNUSED_FAULT",
  "VISIT_FAILED",
  "WEBHOOK_VERIFICATION_FAILED",
  "WORLD_ENDED",
] as const;
export type CentavoErrorCode = (typeof centavoErrorCodes)[number];

const mark = Symbol.for("centavo.CentavoError");

/**
 * An error in how a test uses Centavo. A merchant gets an HTTP response instead, or a broken connection, whose cause is a `WORLD_ENDED`
 * when the test ended the world of a call that had no answer yet.
 *
 * @example
 * try {
 *   sim.intents.cancel("pi_unknown");
 * } catch (error) {
 *   if (error instanceof CentavoError && error.code === "NOT_FOUND") console.log(error.message);
 * }
 */
export class CentavoError extends Error {
  override readonly name = "CentavoError";
  /** The stable code of the error, to switch on. */
  readonly code: CentavoErrorCode;

  constructor(code: CentavoErrorCode, message: string, options?: ErrorOptions) {
    super(printable(message), options);
    this.code = code;
  }

  /** @internal */
  get [mark](): true {
    return true;
  }

  static {
    // A bundler renames a class that names itself, and Node prints the class of an uncaught error.
    Object.defineProperty(this, "name", { value: "CentavoError" });
  }

  /** @internal An instance of the other build's class counts too. Subclasses are checked as usual. */
  static override [Symbol.hasInstance](value: unknown): boolean {
    return this === CentavoError ? isMarked(value, mark) : super[Symbol.hasInstance](value);
  }
}
