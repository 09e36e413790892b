import type { Input, InputLog } from "../engine/inputs.ts";
import { ApiError } from "./errors.ts";
import { VERSION_HEADERS } from "./request-journal.ts";

/** What the service reads of a request's headers; the rest is the client's own business. */
const READ_HEADERS = ["authorization", "content-type", "idempotency-key", "x-admin-key", ...VERSION_HEADERS];

/** A request as it came in, with all that the service reads of it. */
export interface RequestInput extends Input {
  readonly method: string;
  /** The path and query below the base URL, or the whole address where it lies elsewhere. */
  readonly target: string;
  readonly headers: Readonly<Record<string, string>>;
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
  /** The value of each header that came last: most requests bring the same token, which need not be kept twice. */
  readonly #lastValues = new Map<string, string>();

  constructor(inputs: InputLog, baseUrl: string) {
    this.#inputs = inputs;
    this.#prefix = `${baseUrl}/`;
  }

  /** Adds a request whose body was just read. */
  add({ method, url, headers }: Request, body: string | ApiError): RequestInput {
    return this.#inputs.add("request", {
      method,
      target: url.startsWith(this.#prefix) ? url.slice(this.#prefix.length - 1) : url,
      headers: this.#read(headers),
      body: body instanceof ApiError || body === "" ? undefined : body,
      unreadable: body instanceof ApiError ? body.code : undefined,
      status: undefined as number | undefined,
    });
  }

  #read(headers: Headers): Readonly<Record<string, string>> {
    const read: Record<string, string> = {};
    for (const name of READ_HEADERS) {
      const value = headers.get(name);
      if (value === null) continue;
      const last = this.#lastValues.get(name);
      if (last !== value) this.#lastValues.set(name, value);
      read[name] = last === value ? last : value;
    }
    return read;
  }
}
