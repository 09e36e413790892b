import { CentavoError } from "../../kit/base/errors/centavo-error.ts";

/** What older versions of the library leave on the global object while they intercept. */
const MARKS = [Symbol.for("client-request-interceptor"), Symbol.for("fetch-interceptor")];

/** Returns how many listen to requests, by any package that shares the library. */
export function listenersToRequests(): number {
  return (
    globalThis.__MSW_INTERCEPTORS_REGISTRY?.get(Symbol.for("node-http-request-source"))?.listenerCount("request") ?? 0
  );
}

/** Whether some package has loaded the library, which then shares its registry on the global object. */
export function isLibraryLoaded(): boolean {
  return globalThis.__MSW_INTERCEPTORS_REGISTRY !== undefined;
}

/**
 * An older version replaces what other interceptors have patched, so that calls would hang.
 * @throws {CentavoError} `INTERCEPTION_CONFLICT` when one is active
 */
export function refuseOlderInterceptors(): void {
  if (!MARKS.some((mark) => mark in globalThis)) return;
  throw new CentavoError(
    "INTERCEPTION_CONFLICT",
    "intercept() cannot start: an older copy of @mswjs/interceptors is active in this process, as msw 2 and nock 14 bring one. Swap the two: call intercept() before " +
      "server.listen() of msw 2, and for nock, which starts when it is imported, call nock.restore(), intercept() and nock.activate(). Or use " +
      "msw 3 or nock 15, which work in either order, or pass handlers(sim) from centavo/msw to the MSW server that you already have " +
      '("npm ls @mswjs/interceptors" shows which package installs which).',
  );
}
