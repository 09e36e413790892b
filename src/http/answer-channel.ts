import { diagnosticsChannel } from "../runtime/diagnostics.ts";
import type { Part } from "./addresses.ts";

/** What the channel `centavo:answer` says of each call that was answered. */
export interface AnsweredCall {
  /** The name of the service that answered. */
  readonly service: string;
  readonly method: string;
  /** The path below the base URL, still percent-encoded. */
  readonly path: string;
  /** The part to which the address leads: the API, the token service, or both, as with a loopback port. */
  readonly part: Part;
  readonly status: number;
  readonly headers: Headers;
  readonly body: string;
  /** True when a fault replaced the service's own answer. */
  readonly faulty: boolean;
}

const answered = diagnosticsChannel<AnsweredCall>("centavo:answer");

/** Publishes an answer on the channel. */
export function publishAnswer(
  call: Pick<AnsweredCall, "method" | "path" | "part">,
  response: Response,
  answer: Pick<AnsweredCall, "service" | "body" | "faulty">,
): void {
  // Asked first, because to read the parts of a response is not free.
  if (!answered.hasSubscribers) return;
  const { method, path, part } = call;
  const { status, headers } = response;
  const { service, body, faulty } = answer;
  answered.publish({ service, method, path, part, status, headers, body, faulty });
}
