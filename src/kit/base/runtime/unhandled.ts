/** Handles an uncaught error, and returns true if it needs no more handling. */
export type Taker = (error: unknown) => boolean;

const EVENTS = ["unhandledRejection", "uncaughtException"] as const;

const takers = new Set<Taker>();
let restore: (() => void) | undefined;

/**
 * Passes uncaught errors to a taker before the process or the test runner sees them. Does nothing in a process without such
 * events, such as a browser.
 * @returns a function that ends it
 */
export function takeUnhandled(taker: Taker): () => void {
  takers.add(taker);
  restore ??= takeOver();
  return () => {
    takers.delete(taker);
    if (takers.size > 0) return;
    restore?.();
    restore = undefined;
  };
}

function takeOver(): () => void {
  const { process } = globalThis;
  if (typeof process?.listeners !== "function") return () => undefined;
  const restores = EVENTS.map((event) => {
    const others = process.listeners(event as "uncaughtException") as ((...given: unknown[]) => void)[];
    const listener = (error: unknown, ...more: unknown[]): void => {
      if ([...takers].some((taker) => taker(error))) return;
      if (others.length === 0) throw error;
      for (const other of others) other.call(process, error, ...more);
    };
    for (const other of others) process.off(event, other);
    process.on(event, listener);
    return () => {
      process.off(event, listener);
      for (const other of others) process.on(event, other);
    };
  });
  return () => {
    for (const each of restores) each();
  };
}
