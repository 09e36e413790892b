import { CentavoError } from "../../kit/base/errors/centavo-error.ts";
import type { CentavoErrorCode } from "../../kit/base/errors/centavo-error.ts";
import { messageOf } from "../../kit/base/errors/thrown-values.ts";
import { asError } from "../../adapters/answer.ts";
import type { RawAnswer } from "../../kit/http/route.ts";

/** An error of the server itself, which no service answers. */
export class ControlProblem extends Error {
  override readonly name = "ControlProblem";
  readonly status: number;
  readonly code: string;
  readonly headers: Readonly<Record<string, string>>;

  constructor(status: number, code: string, message: string, headers: Readonly<Record<string, string>> = {}) {
    super(message);
    this.status = status;
    this.code = code;
    this.headers = headers;
  }
}

/** The error for a call whose effect the state file cannot keep now. */
export function notKept(error: unknown): ControlProblem {
  return new ControlProblem(503, "INVALID_STATE", messageOf(error));
}

/** The status of each error of Centavo that is not the fault of what the call gave, which is 400. */
const STATUSES: Partial<Readonly<Record<CentavoErrorCode, number>>> = {
  NOT_FOUND: 404,
  CLOCK_AUTO_FAILED: 409,
  CLOCK_BUSY: 409,
  CLOCK_LIMIT: 409,
  CLOCK_TIMER_FAILED: 409,
  INVALID_STATE: 409,
  NOT_SETTLED: 409,
  WORLD_ENDED: 409,
};

/**
 * Writes what was thrown as an answer.
 * @param signal ends when the client has left: what ends with it is no failure
 */
export function answerToThrown(thrown: unknown, signal?: AbortSignal): RawAnswer {
  if (thrown instanceof ControlProblem) return errorAnswer(thrown.status, thrown.code, thrown.message, thrown.headers);
  if (thrown instanceof CentavoError) return errorAnswer(STATUSES[thrown.code] ?? 400, thrown.code, thrown.message);
  if (signal?.aborted !== true) process.emitWarning(asError(thrown));
  return errorAnswer(500, "INTERNAL", "The server failed. Its process has printed the error as a warning.");
}

function errorAnswer(
  status: number,
  code: string,
  message: string,
  headers: Readonly<Record<string, string>> = {},
): RawAnswer {
  return { ...jsonAnswer(status, { error: { code, message } }, headers), code };
}

/** Writes JSON as an answer. */
export function jsonAnswer(status: number, body: unknown, headers: Readonly<Record<string, string>> = {}): RawAnswer {
  const text = JSON.stringify(body);
  return {
    status,
    headers: {
      ...headers,
      "content-type": "application/json",
      "cache-control": "no-store",
      "content-length": String(Buffer.byteLength(text)),
    },
    body: text,
  };
}
