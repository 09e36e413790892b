/**
 * The process's own time. Timers are taken at import, before a test fakes them; the wall clock is read through the global each time,
 * because a faked `Date` is the merchant's time.
 */
const { setTimeout, clearTimeout } = globalThis;
const setImmediate: ((callback: () => void) => unknown) | undefined = globalThis.setImmediate;

/** The process's own time in milliseconds since 1970, which follows a faked `Date`. */
export function wallClock(): number {
  return Date.now();
}

/** Calls back after a span of real time in milliseconds, whatever fake timers say. Returns the function that calls it off. */
export function startTimer(milliseconds: number, callback: () => void): () => void {
  const timer = setTimeout(callback, milliseconds);
  return () => clearTimeout(timer);
}

/** Lets everything that the process has waiting (timers, sockets) have its turn once. */
export function nextMacrotask(): Promise<void> {
  return new Promise((resolve) => {
    if (setImmediate !== undefined) {
      setImmediate(resolve);
      return;
    }
    const { port1, port2 } = new MessageChannel();
    port1.addEventListener("message", () => {
      port1.close();
      resolve();
    });
    port1.start();
    port2.postMessage(undefined);
  });
}
