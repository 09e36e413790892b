/**
 * What of the process's time is faked. Fake timers leave the mark `clock` on what they replace. Jest's older ones are mock functions, and
 * those of node:test are private methods of its mock, with a mark on `Date` alone.
 */

const timers = ["setTimeout", "setInterval", "setImmediate", "queueMicrotask"] as const;

/** Where a faked `Date` whose clock has ended keeps the real one. It has a name, because copies of this module do not share objects. */
const afterTheEnd = Symbol.for("centavo.date-after-the-end");

export function isDateFaked(): boolean {
  if (realDateBehind(globalThis.Date) !== undefined) return false;
  return isFake(globalThis.Date) || "isFake" in globalThis.Date || "isMock" in globalThis.Date;
}

/**
 * Lets a faked `Date` tell real time after its clock has ended. Whatever replaced it in the meantime, such as the fake timers of
 * node:test, puts it back, and code may have captured it.
 */
export function endFakedDate(faked: DateConstructor): void {
  const { Date: real } = globalThis;
  const clock = {
    get now() {
      return real.now();
    },
  };
  Object.assign(faked, { clock, [afterTheEnd]: { faked, real } });
}

/** Puts the real `Date` in the place of a faked one that has ended and was put back. */
export function dropEndedDate(): void {
  const real = realDateBehind(globalThis.Date);
  if (real !== undefined) globalThis.Date = real;
}

/** Other fake timers copy what they find at `Date`, so it counts only where it belongs. */
function realDateBehind(date: DateConstructor): DateConstructor | undefined {
  const mark = Reflect.get(date, afterTheEnd) as
    | { readonly faked: unknown; readonly real: DateConstructor }
    | undefined;
  return mark?.faked === date ? mark.real : undefined;
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
