/**
 * What of the process's time is faked. Fake timers leave the mark `clock` on what they replace. Jest's older ones are mock functions, and
 * those of node:test are private methods of its mock, with a mark on `Date` alone.
 */

const timers = ["setTimeout", "setInterval", "setImmediate", "queueMicrotask"] as const;

export function isDateFaked(): boolean {
  return isFake(globalThis.Date) || "isFake" in globalThis.Date || "isMock" in globalThis.Date;
}

/** Returns the names of the functions that fake timers replaced. */
export function fakedTimers(): readonly string[] {
  const faked: string[] = timers.filter((name) => isFake(globalThis[name]));
  return isFake(Reflect.get(globalThis.process ?? {}, "nextTick")) ? [...faked, "nextTick"] : faked;
}

function isFake(replaced: unknown): boolean {
  if (typeof replaced !== "function") return false;
  return "clock" in replaced || "_isMockFunction" in replaced || replaced.name.startsWith("bound #");
}
