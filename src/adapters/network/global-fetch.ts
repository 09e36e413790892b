import { shownAddress } from "../../kit/base/redaction/address.ts";
import { asError } from "../answer.ts";
import type { Destination } from "../destinations.ts";
import type { Call } from "./calls.ts";
import { exchange } from "./exchange.ts";
import { likeOriginal } from "../../kit/base/runtime/replaced-functions.ts";
import { refuseFakedMicrotasks } from "./fake-timers.ts";
import { nextHop } from "./redirects.ts";
import { running } from "./running.ts";
import { beginFetch } from "./whose-call.ts";

/**
 * Patches the global `fetch` to answer a service's requests without a socket. All other calls go to the `fetch` beneath, with the same
 * arguments. It may be a stub, or lead to one such as undici's `MockAgent`; what would leave is refused at its socket.
 *
 * The library's own `fetch` interceptors do not fit. The one for Node goes through a mocked socket, at thirty times the cost. The one for
 * browsers clones every foreign request, drops the signal on redirects, and also removes a later patch when it is removed itself.
 *
 * @returns a function that removes the patch. It returns false while a later patch covers this one: this one then only passes calls
 *   on, until the function is called again or a call finds this patch on top
 */
export function patchFetch(): () => boolean {
  const original = Object.getOwnPropertyDescriptor(globalThis, "fetch");
  const fetchBeneath = globalThis.fetch;
  let active = true;

  async function fetch(input: RequestInfo | URL, init?: RequestInit): Promise<Response> {
    if (!active) restore();
    const url = URL.parse(input instanceof Request ? input.url : String(input));
    if (!active || url === null) return fetchBeneath(input, init);
    const destination = running.find(url);
    if (destination.kind !== "service") return fetchBeneath(input, init);
    const request = new Request(input, init);
    const mayAbort = input instanceof Request || (init?.signal ?? null) !== null;
    const call = beginFetch(request.method, url);
    call?.arrive();
    try {
      const response = await send(request, destination, { of: call, body: init?.body, mayAbort, hops: 0 });
      call?.answer(response.status, null);
      return response;
    } finally {
      call?.end();
    }
  }

  async function send(request: Request, destination: Destination, step: Step): Promise<Response> {
    const { body, mayAbort, hops } = step;
    if (destination.kind !== "service") return fetchBeneath(request);

    const answer = async (): Promise<Response> => {
      try {
        refuseFakedMicrotasks(`${request.method} ${shownAddress(request.url)}`);
        return await exchange(destination.service, request);
      } catch (error) {
        throw fetchFailed(asError(error));
      }
    };
    const response = await (mayAbort ? untilAborted(request.signal, answer) : answer());
    setUrl(response, request.url);

    const hop = nextHop(request, response, body, hops);
    if (hop === undefined) return response;
    if (hop instanceof Error) throw fetchFailed(hop);
    if (step.of?.isLate === true) throw fetchFailed(step.of.lateError);
    const next = running.find(new URL(hop.request.url));
    const last = await send(hop.request, next, { ...step, body: hop.body, hops: hops + 1 });
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

  likeOriginal(fetch, fetchBeneath);
  Object.defineProperty(globalThis, "fetch", { configurable: true, enumerable: true, writable: true, value: fetch });
  return restore;
}

/** A call to `fetch`, or one of the redirects that it follows. */
interface Step {
  readonly of: Call | undefined;
  readonly body: BodyInit | null | undefined;
  /** Whether its caller has a signal; without one, it cannot be aborted. */
  readonly mayAbort: boolean;
  /** How many redirects were followed so far. */
  readonly hops: number;
}

/** Says where an answer comes from, also to its clones. */
function setUrl(response: Response, url: string): void {
  const clone = (): Response => {
    const copy = Response.prototype.clone.call(response);
    setUrl(copy, url);
    return copy;
  };
  Object.defineProperties(response, {
    url: { value: url, enumerable: true, configurable: true },
    clone: { value: clone, configurable: true, writable: true },
  });
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
