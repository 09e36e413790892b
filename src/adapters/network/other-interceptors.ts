/** What older versions of the library leave on the global object while they intercept `fetch`. */
const OLDER_FETCH = Symbol.for("fetch-interceptor");
/** Where the library keeps what its copies share. */
const REGISTRY = "__MSW_INTERCEPTORS_REGISTRY";

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
 * Calls back as soon as some package loads the library.
 * @returns a function that ends the wait
 */
export function onLibraryLoaded(callback: () => void): () => void {
  const prototype = Object.getPrototypeOf(globalThis) as object;
  const stop = (): void => void Reflect.deleteProperty(prototype, REGISTRY);
  // The library assigns the registry, so the setter waits on the prototype.
  Reflect.defineProperty(prototype, REGISTRY, {
    configurable: true,
    set(value: unknown) {
      stop();
      Reflect.set(globalThis, REGISTRY, value);
      callback();
    },
  });
  return stop;
}

/**
 * Calls back each time an older version of the library, as msw 2 and nock 14 bring one, has replaced the global `fetch`. It then sets a mark
 * on the global object, which it deletes when it stops; so the setter waits on the prototype.
 * @returns a function that ends it
 */
export function onOlderFetch(callback: () => void): () => void {
  const prototype = Object.getPrototypeOf(globalThis) as object;
  Reflect.defineProperty(prototype, OLDER_FETCH, {
    configurable: true,
    set(value: unknown) {
      Object.defineProperty(globalThis, OLDER_FETCH, { value, configurable: true, enumerable: true, writable: true });
      callback();
    },
  });
  return () => void Reflect.deleteProperty(prototype, OLDER_FETCH);
}
