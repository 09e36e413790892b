import { diagnosticsChannel } from "../base/runtime/diagnostics.ts";
import type { Part } from "./addresses.ts";
import type { RawAnswer } from "./route.ts";

/** What the channel `centavo:answer` says of each call that was answered. */
export interface AnsweredCall {
  /** The name of the service that answered. */
  readonly service: string;
  /** The values that the test set for its assumptions, which may shape the answer. */
  readonly assumptions: object;
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
  { status, headers, body }: RawAnswer,
  of: Pick<AnsweredCall, "service" | "assumptions" | "faulty">,
): void {
  // Asked first, because to make headers is not free.
  if (!answered.hasSubscribers) return;
  const { method, path, part } = call;
  answered.publish({ ...of, method, path, part, status, headers: new Headers(headers), body });
}
