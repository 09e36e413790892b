import type { Input, InputLog } from "../engine/inputs.ts";
import { Problem } from "./problem.ts";
import type { ProblemKind } from "./problem.ts";
import type { RequestHeaders } from "./request-headers.ts";

/** The problems that a body itself may cause. A replay makes a body that causes the same problem. */
export const UNREADABLE_KINDS = [
  "body-too-large",
  "malformed-body",
  "unsupported-media-type",
  "invalid",
] as const satisfies readonly ProblemKind[];
export type UnreadableKind = (typeof UNREADABLE_KINDS)[number];

/** A request as it came in, with all that the service reads of it. */
export interface RequestInput extends Input {
  readonly method: string;
  /** The path and query below the base URL, or the whole address when it is elsewhere. */
  readonly target: string;
  readonly headers: RequestHeaders;
  /** The body as text; undefined when it is empty, unreadable or not kept. */
  body: string | undefined;
  /** Why the body is not kept: the problem that it was refused with. */
  unreadable: UnreadableKind | undefined;
  /** The status that the client got; undefined until it gets one, and when the network failed. */
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

  /** Adds a request. Its headers and body were just read. */
  add({ method, url }: Request, headers: RequestHeaders, body: string | Problem): RequestInput {
    const input = this.#inputs.add("request", {
      method,
      target: url.startsWith(this.#prefix) ? url.slice(this.#prefix.length - 1) : url,
      headers,
      body: body instanceof Problem || body === "" ? undefined : body,
      unreadable: unreadableIn(body),
      status: undefined as number | undefined,
    });
    this.#inputs.weigh(input.target.length + (input.body?.length ?? 0) + Object.values(headers).join("").length);
    return input;
  }

  /** Drops the body of a request that was refused before a handler saw it, when the log is bounded: a replay needs only the problem. */
  refused(input: RequestInput, thrown: unknown): void {
    if (!this.#inputs.isBounded || input.body === undefined) return;
    this.#inputs.weigh(-input.body.length);
    input.body = undefined;
    input.unreadable = unreadableIn(thrown);
  }
}

function unreadableIn(thrown: unknown): UnreadableKind | undefined {
  return thrown instanceof Problem ? UNREADABLE_KINDS.find((kind) => kind === thrown.kind) : undefined;
}
