import { isFake } from "./fakes.ts";

/**
 * Real time of the process. Timers are kept from import, before a test fakes them. The wall clock reads the global `Date` each time,
 * because a faked `Date` is the merchant's time.
 */
const { setTimeout, clearTimeout, setInterval, clearInterval } = globalThis;
/** Undefined in a browser, and where fake timers were there before Centavo. */
const setImmediate: ((callback: () => void) => unknown) | undefined = isFake(globalThis.setImmediate)
  ? undefined
  : globalThis.setImmediate;
const sinceStart = performance.now.bind(performance);

/** Returns the process's time in milliseconds since 1970. It follows a faked `Date`. */
export function wallClock(): number {
  return Date.now();
}

/** Returns the real time since the process began, in milliseconds. No faked clock changes it. */
export function realTime(): number {
  return sinceStart();
}

/** Calls back after this much real time in milliseconds, even under fake timers. Returns a function that cancels it. */
export function startTimer(milliseconds: number, callback: () => void): () => void {
  const timer = setTimeout(callback, milliseconds);
  return () => clearTimeout(timer);
}

/** Whether work ends successfully within this much real time, in milliseconds. It rejects when the work does. */
export async function endsWithin(work: Promise<unknown>, milliseconds: number): Promise<boolean> {
  const late = Promise.withResolvers<false>();
  const callOff = startTimer(milliseconds, () => late.resolve(false));
  return Promise.race([work.then(() => true), late.promise]).finally(callOff);
}

/** Longest delay of a timer, in milliseconds. */
const LONGEST_DELAY = 2 ** 31 - 1;

/** Keeps the process from ending. Returns the function that lets it end. */
export function keepProcessAlive(): () => void {
  const timer = setInterval(() => undefined, LONGEST_DELAY);
  return () => clearInterval(timer);
}

/** Waits for one turn of the event loop, so that waiting timers and sockets can run. */
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
