import type { HttpRequestEvent, HttpRequestEventMap, Interceptor } from "@mswjs/interceptors";
import { CentavoError } from "../../kit/base/errors/centavo-error.ts";
import { asError } from "../answer.ts";
import { awaitsRequest } from "./follow-calls.ts";
import type { Library } from "./library.ts";

/** Takes a request, and returns what answers it; undefined leaves it to others. */
export type Take = (request: Request, initiator: unknown) => Exchange | undefined;

/** The answer to one request. */
export interface Exchange {
  readonly respond: () => Promise<Response>;
  /** Hands over the answer, or the error in its place. */
  readonly deliver: (send: () => void) => void;
}

/** Access to the request source that all interceptors of this process share, such as a user's own `setupServer`. */
export interface SharedSockets {
  /** Whether another interceptor listens too. It then decides about requests that are not to a service. */
  hasOtherListeners(): boolean;
  /** Calls back each time another listener is removed, even after `release`. */
  onListenerGone(callback: () => void): void;
  release(): void;
}

type RequestSource = Interceptor<HttpRequestEventMap>;

const requestSource = Symbol.for("node-http-request-source");

/**
 * Intercepts sockets and answers their HTTP requests, before all other listeners.
 *
 * The library asks its listeners in the order in which they were added. If another interceptor came first, this listener has to move to
 * the front of the shared source. The library does not export that emitter, so this checks whether it can be reached.
 *
 * @throws {CentavoError} `INTERCEPTION_CONFLICT` when the listener cannot go first
 */
export function shareSockets(library: Library, take: Take): SharedSockets {
  // If it returns a promise, the library awaits it.
  const listener = (event: HttpRequestEvent): unknown => {
    const exchange = take(event.request, event.initiator);
    if (exchange === undefined) return undefined;
    event.stopImmediatePropagation();
    return respondTo(event, exchange, library);
  };
  const othersBefore = sharedSource()?.listenerCount("request") ?? 0;
  const source = applySource(listener, library);
  if (othersBefore === 0) source.on("request", listener);
  else if (typeof source["emitter"].earlyOn === "function") source["emitter"].earlyOn("request", listener);
  else {
    source.dispose(listener);
    throw conflict(
      "another request interceptor started first; call intercept() before it, which for MSW means before server.listen()",
    );
  }
  const own = source.listenerCount("request") - othersBefore;
  const stopKeeping = keepForLateRequests(library);

  return {
    hasOtherListeners: () => source.listenerCount("request") > own,
    onListenerGone: (callback) => source["emitter"].hooks.on("removeListener", callback, { persist: true }),
    release: () => {
      stopKeeping();
      source.removeListener("request", listener);
      source.dispose(listener);
    },
  };
}

async function respondTo(
  { controller }: HttpRequestEvent,
  { respond, deliver }: Exchange,
  { RequestController: { PENDING } }: Library,
): Promise<void> {
  try {
    const response = await respond();
    if (controller.readyState === PENDING) deliver(() => controller.respondWith(response));
  } catch (error) {
    if (controller.readyState === PENDING) deliver(() => controller.errorWith(asError(error)));
  }
}

/**
 * Starts the request source. The library makes it only for one of its interceptors, which forward its events; the interceptor then leaves it to
 * its owner here.
 */
function applySource(owner: object, { HttpRequestInterceptor }: Library): RequestSource {
  const interceptor = new HttpRequestInterceptor();
  interceptor.apply();
  const source = sharedSource();
  source?.apply(owner);
  interceptor.dispose();
  restoreHeaders();
  if (source !== undefined) return source;
  throw conflict(
    "@mswjs/interceptors no longer shares its request source; use the versions that centavo's package.json names",
  );
}

/**
 * Puts back `Headers`, `Request` and `Response`, which the library replaces to keep the case of header names. Nothing here needs that, and
 * a client that is loaded meanwhile, such as axios, would keep a `Request` that fails once the interception has ended. The library keeps
 * the function that does so under a name that it does not export. Without it, they stay replaced until the end.
 */
function restoreHeaders(): void {
  // An older copy of the library may have added one before.
  const name = Object.getOwnPropertySymbols(globalThis.Headers).findLast(
    ({ description }) => description === "kRestorePatches",
  );
  const restore: unknown = name === undefined ? undefined : Reflect.get(globalThis.Headers, name);
  if (typeof restore === "function") Reflect.apply(restore, undefined, []);
  // It leaves them enumerable, as those of Node are not.
  for (const replaced of ["Headers", "Request", "Response"])
    Object.defineProperty(globalThis, replaced, { enumerable: false });
}

/**
 * Keeps connections until their first request. The library connects a socket to the real network when the client reads for one turn of the
 * event loop and writes nothing, because it may be a database's. But a client of HTTP may read early too, and write late: when the first
 * piece of a streamed body comes, or when the first request uses a connection that was opened ahead.
 *
 * @returns a function that ends it
 */
function keepForLateRequests({ Interceptor, SocketInterceptor }: Library): () => void {
  const ended = new AbortController();
  Interceptor.singleton(SocketInterceptor).on(
    "connection",
    ({ socket, controller }) => {
      // The first bytes may have come before this event.
      let hasWritten = socket.bytesWritten > 0;
      socket.prependOnceListener("data", () => (hasWritten = true));
      const connectForReal = controller.passthrough.bind(controller);
      // Before the first byte, the library makes no use of what this returns.
      controller.passthrough = ((...args: Parameters<typeof connectForReal>) =>
        awaitsRequest(socket) && !hasWritten && !ended.signal.aborted
          ? socket
          : connectForReal(...args)) as typeof connectForReal;
    },
    { signal: ended.signal },
  );
  return () => ended.abort();
}

/** Returns the source, which the library keeps in a registry on the global object, so that all who load it share one. */
function sharedSource(): RequestSource | undefined {
  return globalThis.__MSW_INTERCEPTORS_REGISTRY?.get(requestSource) as RequestSource | undefined;
}

/** Returns the error for another copy of the library that is active: two patch the same sockets and break each other. */
export function conflictWithOtherCopy({ SocketInterceptor }: Library): CentavoError | undefined {
  const registered = globalThis.__MSW_INTERCEPTORS_REGISTRY?.get(SocketInterceptor.symbol);
  if (String(registered?.readyState) !== "ACTIVE" || registered instanceof SocketInterceptor) return undefined;
  return conflict(
    "another copy of @mswjs/interceptors is active in this process, probably through a second install of msw or nock. " +
      'msw 3 and nock 15.0.6 share Centavo\'s copy: install one of them ("npm ls @mswjs/interceptors" shows which package installs which). Or ' +
      "stop the other one first, or pass handlers(sim) from centavo/msw to the MSW server that you already have",
  );
}

function conflict(reason: string): CentavoError {
  return new CentavoError("INTERCEPTION_CONFLICT", `intercept() cannot start: ${reason}.`);
}
