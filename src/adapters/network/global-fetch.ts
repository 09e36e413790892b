import { FetchResponse } from "@mswjs/interceptors";
import { type Destination, outside } from "../destinations.ts";
import type { Reason } from "../refusals.ts";
import { asError } from "../answer.ts";
import { exchange } from "./exchange.ts";
import { refuseFakedMicrotasks } from "./fake-timers.ts";
import { nextHop } from "./redirects.ts";

/**
 * Patches the global `fetch` to answer a service's requests without a socket. All other calls go to the original `fetch`, with the same
 * arguments.
 *
 * The library's own `fetch` interceptors do not fit. The one for Node goes through a mocked socket, at thirty times the cost. The one for
 * browsers clones every foreign request, drops the signal on redirects, and also removes a later patch when it is removed itself.
 *
 * @param refuse makes the error for a request that leads nowhere
 * @returns a function that removes the patch. It returns false while a later patch covers this one: this one then only passes calls
 *   on, until the function is called again or a call finds this patch on top
 */
export function patchFetch(
  find: (url: URL) => Destination,
  refuse: (request: Request, url: URL, reason: Reason) => Promise<Error>,
): () => boolean {
  const original = Object.getOwnPropertyDescriptor(globalThis, "fetch");
  const realFetch = globalThis.fetch;
  let active = true;

  async function fetch(input: RequestInfo | URL, init?: RequestInit): Promise<Response> {
    if (!active) restore();
    const url = URL.parse(input instanceof Request ? input.url : String(input));
    if (!active || url === null) return realFetch(input, init);
    const destination = find(url);
    if (destination.kind === "outside") return realFetch(input, init);
    const request = new Request(input, init);
    const mayAbort = input instanceof Request || (init?.signal ?? null) !== null;
    return send(request, destination, { body: init?.body, mayAbort, hops: 0 });
  }

  async function send(request: Request, destination: Destination, call: Call): Promise<Response> {
    const { body, mayAbort, hops } = call;
    if (destination.kind === "refused") throw fetchFailed(await refuse(request, new URL(request.url), destination));
    if (destination.kind === "outside") return realFetch(request);

    const answer = async (): Promise<Response> => {
      try {
        refuseFakedMicrotasks(`${request.method} ${request.url}`);
        return await exchange(destination.service, request);
      } catch (error) {
        throw fetchFailed(asError(error));
      }
    };
    const response = await (mayAbort ? untilAborted(request.signal, answer) : answer());
    FetchResponse.setUrl(request.url, response);

    const hop = nextHop(request, response, body, hops);
    if (hop === undefined) return response;
    if (hop instanceof Error) throw fetchFailed(hop);
    const next = active ? find(new URL(hop.request.url)) : outside;
    const last = await send(hop.request, next, { body: hop.body, mayAbort, hops: hops + 1 });
    Object.defineProperty(last, "redirected", { value: true, configurable: true });
    return last;
  }

  function restore(): boolean {
    active = false;
    if (globalThis.fetch !== fetch) return false;
    if (original === undefined) Reflect.deleteProperty(globalThis, "fetch");
    else Object.defineProperty(globalThis, "fetch", original);
    return true;
  }

  Object.defineProperty(globalThis, "fetch", { value: fetch, writable: true, enumerable: true, configurable: true });
  return restore;
}

/** What a call to `fetch` keeps through its redirects. */
interface Call {
  readonly body: BodyInit | null | undefined;
  /** Whether its caller has a signal; without one, nobody can abort it. */
  readonly mayAbort: boolean;
  /** How many redirects were followed so far. */
  readonly hops: number;
}

/** Makes the error with which Node's own `fetch` rejects when the network fails. Retry code reads the `code` of its cause. */
function fetchFailed(cause: Error): TypeError {
  return new TypeError("fetch failed", { cause });
}

/** Rejects with the signal's reason as soon as it aborts, without waiting for the service. */
async function untilAborted(signal: AbortSignal, answer: () => Promise<Response>): Promise<Response> {
  signal.throwIfAborted();
  const aborted = Promise.withResolvers<never>();
  const abort = () => aborted.reject(signal.reason);
  signal.addEventListener("abort", abort, { once: true });
  try {
    return await Promise.race([answer(), aborted.promise]);
  } finally {
    signal.removeEventListener("abort", abort);
  }
}
