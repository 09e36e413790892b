import type { Input, InputLog } from "../engine/inputs.ts";
import { ApiError } from "./errors.ts";
import type { RequestHeaders } from "./request-headers.ts";

/** A request as it came in, with all that the service reads of it. */
export interface RequestInput extends Input {
  readonly method: string;
  /** The path and query below the base URL, or the whole address where it lies elsewhere. */
  readonly target: string;
  readonly headers: RequestHeaders;
  /** The body as text; undefined where it is empty or unreadable. */
  readonly body: string | undefined;
  /** The error of a body that cannot be read as text. */
  readonly unreadable: string | undefined;
  /** What the client was answered; undefined while it is not, and where the network failed. */
  status: number | undefined;
}

/** Adds requests to the inputs of their world. */
export class RequestInputs {
  readonly #inputs: InputLog;
  /** The base URL with the slash that its paths begin with. */
  readonly #prefix: string;

  constructor(inputs: InputLog, baseUrl: string) {
    this.#inputs = inputs;
    this.#prefix = `${baseUrl}/`;
  }

  /** Adds a request whose headers and body were just read. */
  add({ method, url }: Request, headers: RequestHeaders, body: string | ApiError): RequestInput {
    return this.#inputs.add("request", {
      method,
      target: url.startsWith(this.#prefix) ? url.slice(this.#prefix.length - 1) : url,
      headers,
      body: body instanceof ApiError || body === "" ? undefined : body,
      unreadable: body instanceof ApiError ? body.code : undefined,
      status: undefined as number | undefined,
    });
  }
}
