import type { Input, InputLog } from "../engine/inputs.ts";
import { ApiError } from "./errors.ts";
import type { ErrorCode } from "./errors.ts";
import type { RequestHeaders } from "./request-headers.ts";

/** The errors that a body itself may cause. A replay makes a body that causes the same error. */
export const UNREADABLE_CODES = [
  "BODY_TOO_LARGE",
  "MALFORMED_JSON",
  "UNSUPPORTED_MEDIA_TYPE",
  "VALIDATION_ERROR",
] as const satisfies readonly ErrorCode[];
export type UnreadableCode = (typeof UNREADABLE_CODES)[number];

/** A request as it came in, with all that the service reads of it. */
export interface RequestInput extends Input {
  readonly method: string;
  /** The path and query below the base URL, or the whole address where it lies elsewhere. */
  readonly target: string;
  readonly headers: RequestHeaders;
  /** The body as text; undefined where it is empty, unreadable or not kept. */
  body: string | undefined;
  /** Why the body is not kept: the error that it was refused with. */
  unreadable: UnreadableCode | undefined;
  /** What the client was answered; undefined while it is not, and where the network failed. */
  status: number | undefined;
}

/** Adds requests to the inputs of their world. */
export class RequestInputs {
  readonly #inputs: InputLog;
  /** The base URL with the slash that its paths begin with. */
  readonly #prefix: string;
  /** Requests in a row share their headers where these are the same. */
  #lastHeaders: RequestHeaders | undefined;

  constructor(inputs: InputLog, baseUrl: string) {
    this.#inputs = inputs;
    this.#prefix = `${baseUrl}/`;
  }

  /** Adds a request whose headers and body were just read. */
  add({ method, url }: Request, headers: RequestHeaders, body: string | ApiError): RequestInput {
    const input = this.#inputs.add("request", {
      method,
      target: url.startsWith(this.#prefix) ? url.slice(this.#prefix.length - 1) : url,
      headers,
      body: body instanceof ApiError || body === "" ? undefined : body,
      unreadable: body instanceof ApiError ? unreadableCodeOf(body.code) : undefined,
      status: undefined as number | undefined,
    });
    this.#inputs.weigh(input.target.length + (input.body?.length ?? 0));
    if (headers !== this.#lastHeaders) this.#inputs.weigh(Object.values(headers).join("").length);
    this.#lastHeaders = headers;
    return input;
  }

  /** Drops the body of a request that was refused before a handler saw it, where the log is bounded: a replay needs only the error. */
  refused(input: RequestInput, code: ErrorCode): void {
    if (!this.#inputs.isBounded || input.body === undefined) return;
    this.#inputs.weigh(-input.body.length);
    input.body = undefined;
    input.unreadable = unreadableCodeOf(code);
  }
}

function unreadableCodeOf(code: ErrorCode): UnreadableCode | undefined {
  return UNREADABLE_CODES.find((known) => known === code);
}
