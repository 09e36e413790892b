/** The events of a process in which nobody has caught what was thrown. */
const EVENTS = ["unhandledRejection", "uncaughtException"] as const;

type Listener = (...given: unknown[]) => void;

/**
 * Takes some of what is thrown where nobody catches it. The rest goes to those who listened before, such as the test runner.
 * @param take called in the async context of what threw; returns whether it has taken it
 * @returns a function that lets the others listen again
 */
export function takeUncaught(take: (error: unknown) => boolean): () => void {
  const { process } = globalThis;
  const restore = EVENTS.map((event) => {
    const others = process.rawListeners(event) as unknown as readonly Listener[];
    const listener: Listener = (...given) => {
      if (take(given[0])) return;
      for (const other of others) Reflect.apply(other, process, given);
      if (others.length > 0) return;
      // Nobody listened, so the process ends as it would have.
      process.off("uncaughtException", listener);
      process.nextTick(() => {
        throw given[0];
      });
    };
    process.removeAllListeners(event);
    process.on(event as "uncaughtException", listener);
    return () => {
      process.off(event, listener);
      for (const other of others) process.on(event as "uncaughtException", other);
    };
  });
  return () => {
    for (const each of restore) each();
  };
}
