import { type HttpRequestEvent, type HttpRequestEventMap, Interceptor } from "@mswjs/interceptors";
import { HttpRequestInterceptor } from "@mswjs/interceptors/http";
import { SocketInterceptor } from "@mswjs/interceptors/net";
import { CentavoError } from "../../kit/base/errors/centavo-error.ts";
import { withoutFrames } from "../without-frames.ts";
import { keepForLateRequests } from "./late-requests.ts";

/** Gets each request. If it returns a promise, the library awaits it. */
export type RequestListener = (event: HttpRequestEvent) => unknown;

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
const olderMarks = [Symbol.for("client-request-interceptor"), Symbol.for("fetch-interceptor")];

/**
 * Intercepts sockets and calls the listener for each HTTP request, before all other listeners.
 *
 * The library asks its listeners in the order in which they were added. If another interceptor came first, this listener has to move to
 * the front of the shared source. The library does not export that emitter, so this checks whether it can be reached.
 *
 * @throws {CentavoError} `INTERCEPTION_CONFLICT` when another copy of the library is active, or the listener cannot go first
 */
export function shareSockets(listener: RequestListener): SharedSockets {
  refuseOtherCopies();
  const othersBefore = sharedSource()?.listenerCount("request") ?? 0;
  const source = rawHeadersAreRecorded() ? applySource(listener) : withoutRawHeaders(() => applySource(listener));
  if (othersBefore === 0) source.on("request", listener);
  else if (typeof source["emitter"].earlyOn === "function") source["emitter"].earlyOn("request", listener);
  else {
    source.dispose(listener);
    throw conflict(
      "another request interceptor started first; call intercept() before it, which for MSW means before server.listen()",
    );
  }
  const own = source.listenerCount("request") - othersBefore;
  const stopKeeping = keepForLateRequests(Interceptor.singleton(SocketInterceptor));

  return {
    hasOtherListeners: () => source.listenerCount("request") > own,
    onListenerGone: (callback) => source["emitter"].hooks.on("removeListener", callback, { persist: true }),
    release: () => {
      stopKeeping();
      source.removeListener("request", listener);
      // The source ends with an `AbortError`, which stays in a `WeakMap` of the library. What is there outlives V8's next quick collection,
      // even when its key is gone, and the frames of the error would lead to the world that has just ended.
      withoutFrames(() => source.dispose(listener));
    },
  };
}

let ownSource: RequestSource | undefined;

/**
 * Starts the request source. The library makes it only for one of its interceptors, which forward its events, and to make, apply and dispose of
 * one for each test takes longer than the rest of an interception. So one makes the source, and then leaves it to its owners here.
 */
function applySource(owner: RequestListener): RequestSource {
  if (ownSource !== undefined && ownSource === sharedSource()) {
    ownSource.apply(owner);
    return ownSource;
  }
  const interceptor = new HttpRequestInterceptor();
  interceptor.apply();
  ownSource = sharedSource();
  ownSource?.apply(owner);
  interceptor.dispose();
  if (ownSource !== undefined) return ownSource;
  throw conflict(
    "@mswjs/interceptors no longer shares its request source; use the versions that centavo's package.json names",
  );
}

/** A `Headers` that the library takes for replaced. */
let markedHeaders: typeof Headers | undefined;

/**
 * The library replaces `Headers`, `Request` and `Response` to keep the case of header names, which nothing here needs. A client that is
 * loaded meanwhile, such as axios, captures the replaced `Request`, which fails once the interception has ended. So the first time they are
 * put back at once. Later the library finds a `Headers` that has its mark, and replaces nothing: whenever the prototypes change, V8 forgets
 * what it knows of them, and every `Request` and `Response` of a test then costs several times as much.
 */
function withoutRawHeaders<Applied>(apply: () => Applied): Applied {
  const original = globalThis.Headers;
  if (markedHeaders !== undefined) {
    globalThis.Headers = markedHeaders;
    try {
      return apply();
    } finally {
      globalThis.Headers = original;
    }
  }
  const applied = apply();
  // Under this name the library keeps the function that puts the three back. It does not export it.
  const mark = markOfRawHeaders();
  if (mark === undefined) return applied;
  Reflect.apply(Reflect.get(original, mark) as () => void, undefined, []);
  markedHeaders = class extends original {};
  Object.defineProperty(markedHeaders, mark, { value: () => undefined });
  return applied;
}

function rawHeadersAreRecorded(): boolean {
  return markOfRawHeaders() !== undefined;
}

function markOfRawHeaders(): symbol | undefined {
  return Object.getOwnPropertySymbols(globalThis.Headers).find(({ description }) => description === "kRestorePatches");
}

function sharedSource(): RequestSource | undefined {
  return globalThis.__MSW_INTERCEPTORS_REGISTRY?.get(requestSource) as RequestSource | undefined;
}

/**
 * Two copies of the library patch the same sockets and break each other. New copies share a registry on the global object, those of
 * msw 2 leave each interceptor on the global object, and older ones mark the `fetch` that they replaced.
 */
function refuseOtherCopies(): void {
  const registered = globalThis.__MSW_INTERCEPTORS_REGISTRY?.get(SocketInterceptor.symbol);
  const isForeign = String(registered?.readyState) === "ACTIVE" && !(registered instanceof SocketInterceptor);
  const isOlder = olderMarks.some((mark) => mark in globalThis) || isMarkedAsPatched(globalThis.fetch);
  if (isOlder) {
    throw conflict(
      "an older copy of @mswjs/interceptors is active in this process, as msw 2 and nock 14 bring one. Swap the two: call intercept() before " +
        "server.listen() of msw 2, and for nock, which starts when it is imported, call nock.restore(), intercept() and nock.activate(). Or use " +
        "msw 3 or nock 15, which work in either order, or pass handlers(sim) from centavo/msw to the MSW server that you already have " +
        '("npm ls @mswjs/interceptors" shows which package installs which)',
    );
  }
  if (isForeign) {
    throw conflict(
      "another copy of @mswjs/interceptors is active in this process, probably through a second install of msw or nock. " +
        'Install the version that shares Centavo\'s copy ("npm ls @mswjs/interceptors" shows which package installs which), ' +
        "stop the other one first, or pass handlers(sim) from centavo/msw to the MSW server that you already have",
    );
  }
}

function conflict(reason: string): CentavoError {
  return new CentavoError("INTERCEPTION_CONFLICT", `intercept() cannot start: ${reason}.`);
}

function isMarkedAsPatched(fetch: object): boolean {
  return Object.getOwnPropertySymbols(fetch).some((symbol) => symbol.description === "isPatchedModule");
}
