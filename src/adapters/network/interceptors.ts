import type { HttpRequestEvent, HttpRequestEventMap, Interceptor } from "@mswjs/interceptors";
import { HttpRequestInterceptor } from "@mswjs/interceptors/http";
import { SocketInterceptor } from "@mswjs/interceptors/net";
import { CentavoError } from "../../errors/centavo-error.ts";

/** Hears of a request; a promise that it returns is waited for. */
export type RequestListener = (event: HttpRequestEvent) => unknown;

/** A hold on the sockets that every interceptor of this process shares, a user's own `setupServer` among them. */
export interface SharedSockets {
  /** Whether somebody else listens to requests too; then that one decides about whatever is not a service's. */
  hasOtherListeners(): boolean;
  /** Calls back each time another listener goes, also after `release`. */
  onListenerGone(callback: () => void): void;
  release(): void;
}

const requestSource = Symbol.for("node-http-request-source");
const olderMarks = [Symbol.for("client-request-interceptor"), Symbol.for("fetch-interceptor")];

/**
 * Applies the interception of sockets and hears of each HTTP request before everybody else does.
 *
 * Whoever applies interception first is asked first. Where that is somebody else, the listener has to go to the front of
 * the shared source, whose emitter the library does not export: hence the look at whether it can.
 *
 * @throws CentavoError `INTERCEPTION_CONFLICT` where another copy of the library is active, or going first is impossible.
 */
export function shareSockets(listener: RequestListener): SharedSockets {
  refuseOtherCopies();
  const othersBefore = sharedSource()?.listenerCount("request") ?? 0;
  const interceptor = new HttpRequestInterceptor();
  interceptor.apply();
  const source = sharedSource();
  if (source === undefined) {
    interceptor.dispose();
    throw conflict(
      "@mswjs/interceptors no longer shares its request source; use the versions that centavo's package.json names",
    );
  }

  if (othersBefore === 0) interceptor.on("request", listener);
  else if (typeof source["emitter"].earlyOn === "function") source["emitter"].earlyOn("request", listener);
  else {
    interceptor.dispose();
    throw conflict(
      "another request interceptor was there first; call intercept() before it, for MSW before server.listen()",
    );
  }
  const own = source.listenerCount("request") - othersBefore;

  return {
    hasOtherListeners: () => source.listenerCount("request") > own,
    onListenerGone: (callback) => source["emitter"].hooks.on("removeListener", callback, { persist: true }),
    release: () => {
      source.removeListener("request", listener);
      interceptor.dispose();
    },
  };
}

function sharedSource(): Interceptor<HttpRequestEventMap> | undefined {
  return globalThis.__MSW_INTERCEPTORS_REGISTRY?.get(requestSource) as Interceptor<HttpRequestEventMap> | undefined;
}

/**
 * Two copies of the library patch the same sockets, and each undoes the other. Newer copies meet in a registry on the
 * global object, those of msw 2 leave their interceptors there one by one, still older ones mark the `fetch` they replaced.
 */
function refuseOtherCopies(): void {
  const registered = globalThis.__MSW_INTERCEPTORS_REGISTRY?.get(SocketInterceptor.symbol);
  const isForeign = String(registered?.readyState) === "ACTIVE" && !(registered instanceof SocketInterceptor);
  const isOlder = olderMarks.some((mark) => mark in globalThis) || isMarkedAsPatched(globalThis.fetch);
  if (!isForeign && !isOlder) return;
  throw conflict(
    "another copy of @mswjs/interceptors is active in this process, probably through msw 2, nock or a second install of msw. " +
      'Install the version of msw that shares Centavo\'s copy ("npm ls @mswjs/interceptors" shows who brings which), ' +
      "stop the other one first (nock starts with its import: nock.restore()), or give handlers(sim) from centavo/msw to the MSW server that you already have",
  );
}

function conflict(reason: string): CentavoError {
  return new CentavoError("INTERCEPTION_CONFLICT", `intercept() cannot start: ${reason}.`);
}

function isMarkedAsPatched(fetch: object): boolean {
  return Object.getOwnPropertySymbols(fetch).some((symbol) => symbol.description === "isPatchedModule");
}
