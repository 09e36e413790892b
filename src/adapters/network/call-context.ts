import type { ClientRequest } from "node:http";
import { asyncContext } from "../../kit/base/runtime/async-context.ts";
import type { Call } from "./calls.ts";

interface Context {
  /** The call whose answer its client gets now. */
  readonly call: Call | undefined;
  /** The request of `node:http` for which something connects. */
  readonly request?: ClientRequest;
}

/**
 * What a client does by itself after an answer, such as follow a redirect or try again, belongs to the interception of the call before. The
 * caller's own code has another context, except for callbacks of `node:http`, and what they begin.
 */
const contexts = asyncContext<Context>();

/** Contexts in which the caller's own code has turned out to run. */
const contextsOfCallers = new WeakSet<Context>();

/** Returns the call whose answer led its client here, unless the code that runs here is its caller's own. */
export function callAnsweredHere(): Call | undefined {
  const context = contexts.value;
  return context === undefined || contextsOfCallers.has(context) ? undefined : context.call;
}

/**
 * No client ends an interception: if the end of a call led here, then to a callback of its caller, which may go on with the next test. While
 * the call is under way, its service may have ended the interception, because it answers in the context of its client.
 */
export function leaveCallBefore(): void {
  const context = contexts.value;
  if (context === undefined) return;
  const { request, call } = context;
  if (request === undefined || request.destroyed || call?.isAnswered === true) contextsOfCallers.add(context);
}

/** Hands a client the answer to a call, or its error. */
export function answering(call: Call | undefined, send: () => void): void {
  contexts.run({ call }, send);
}

/**
 * Runs what connects a request of `node:http`, whose events come in that context.
 * @param callOf returns the call of the request, which Node publishes only later
 */
export function connecting<Result>(
  request: ClientRequest,
  callOf: (request: ClientRequest) => Call | undefined,
  connect: () => Result,
): Result {
  const context = {
    request,
    get call() {
      return callOf(request);
    },
  };
  return contexts.run(context, connect);
}

/** Returns the request of `node:http` for which a socket connects now. */
export function requestThatConnects(): ClientRequest | undefined {
  const request = contexts.value?.request;
  // Once it has a socket, its callbacks run in this context, and may connect whatever they like.
  return request?.socket === null && !request.destroyed ? request : undefined;
}
