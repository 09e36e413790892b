/**
 * What of the process's time is faked. Fake timers leave the mark `clock` on what they replace. Jest's older ones are mock functions, and
 * those of node:test are private methods of its mock, with a mark on `Date` alone.
 */

const timers = ["setTimeout", "setInterval", "setImmediate", "queueMicrotask"] as const;

/** Where a held `Date` says so. It has a name, because copies of this module do not share objects. */
const HOLD = Symbol.for("centavo.held-date");

/** The marks that fake timers look for before they replace `Date`. */
const MARKS = ["isFake", "isMock"] as const;

/** The time that a held `Date` tells. */
interface Hold {
  /** What stands in for `Date`. Other fake timers copy its properties, so a mark counts only where it belongs. */
  readonly date: DateConstructor;
  readonly real: DateConstructor;
  isOver: boolean;
}

export interface HeldDate {
  /** Calls back at once if something has replaced the stand-in. Without this, that takes a microtask. */
  check(): void;
  /** Puts `Date` back. */
  end(): void;
}

export function isDateFaked(): boolean {
  const { Date: date } = globalThis;
  const hold = holdOf(date);
  if (hold?.isOver === false) return true;
  return date !== hold?.date && (isFake(date) || MARKS.some((mark) => Reflect.get(date, mark) === true));
}

/**
 * Makes the process's `Date` tell another time. The stand-in has every own property of the original.
 *
 * When the hold ends, `Date` is put back. If something else has replaced it in the meantime, such as the fake timers of node:test, that may
 * put the stand-in back, and code may have captured it. So it tells real time from then on.
 * @param now returns the time in milliseconds since 1970
 * @param onReplaced called when fake timers have replaced the stand-in, with the call that did so, such as `vi.setSystemTime()`
 */
export function holdDate(now: () => number, onReplaced: (call: string) => unknown = () => undefined): HeldDate {
  dropEndedDate();
  const property = Object.getOwnPropertyDescriptor(globalThis, "Date");
  const { Date: real } = globalThis;
  // Code may put the stand-in's `now` back into the real `Date`.
  const realNow = real.now.bind(real);
  const moment = (): number => (hold.isOver ? realNow() : now());
  const date = function Date(...given: unknown[]): unknown {
    if (new.target === undefined) return new real(moment()).toString();
    return Reflect.construct(real, given.length === 0 ? [moment()] : given, new.target);
  } as unknown as DateConstructor;
  const hold: Hold = { date, real, isOver: false };

  let asked: { readonly before: DateConstructor; readonly call: string } | undefined;
  const check = (): void => {
    if (asked === undefined || hold.isOver || globalThis.Date === asked.before) return;
    const { call } = asked;
    asked = undefined;
    onReplaced(call);
  };
  const isAsked = (): undefined => {
    if (hold.isOver) return;
    asked = { before: globalThis.Date, call: fakingCall() };
    // Whoever asks has replaced `Date` by then. To throw here would leave vitest without a clock that `vi.useRealTimers()` could end.
    void Promise.resolve().then(check);
  };
  const own = Object.getOwnPropertyDescriptors(real);
  Object.defineProperties(date, { ...own, now: { ...own.now, value: { now: () => moment() }.now } });
  for (const mark of MARKS)
    Object.defineProperty(date, mark, { get: isAsked, set: overwriting(mark), configurable: true });
  Object.defineProperty(date, HOLD, { value: hold, configurable: true });
  Object.defineProperty(globalThis, "Date", { ...property, value: date });

  const end = (): void => {
    hold.isOver = true;
    if (globalThis.Date === date) Object.defineProperty(globalThis, "Date", { ...property, value: real });
  };
  return { check, end };
}

/** Puts the real `Date` in the place of a held one that has ended and was put back. */
function dropEndedDate(): void {
  const hold = holdOf(globalThis.Date);
  if (hold?.isOver === true && hold.date === globalThis.Date) globalThis.Date = hold.real;
}

function holdOf(date: DateConstructor): Hold | undefined {
  return Reflect.get(date, HOLD) as Hold | undefined;
}

/** A class that extends a held `Date` sets the mark on itself. */
function overwriting(mark: string) {
  return function set(this: object, value: unknown): void {
    Object.defineProperty(this, mark, { value, writable: true, enumerable: true, configurable: true });
  };
}

/** Whose frames name the call that fakes time. `by` is a function that the frame has to name, too. */
const CALLS: readonly { readonly frame: RegExp; readonly by?: string; readonly call: string }[] = [
  { frame: /[\\/]@?vitest[\\/]/, by: "setSystemTime", call: "vi.setSystemTime()" },
  { frame: /[\\/]@?vitest[\\/]/, by: "useFakeTimers", call: "vi.useFakeTimers()" },
  { frame: /[\\/]@jest[\\/]fake-timers[\\/]/, call: "jest.useFakeTimers()" },
  { frame: /[\\/]sinon[\\/]/, call: "sinon.useFakeTimers()" },
  { frame: /[\\/]@sinonjs[\\/]fake-timers[\\/]/, call: "FakeTimers.install()" },
  { frame: /node:internal\/test_runner\/mock/, call: "mock.timers.enable()" },
];

/** Names the call of a runner that is about to fake time. */
function fakingCall(): string {
  const { stack = "" } = new Error("Who fakes Date?");
  const frames = stack.split("\n");
  const found = CALLS.find(({ frame, by = "" }) => frames.some((line) => line.includes(by) && frame.test(line)));
  return found?.call ?? "a library";
}

/** Returns the names of the functions that fake timers replaced. */
export function fakedTimers(): readonly string[] {
  const faked: string[] = timers.filter((name) => isFake(globalThis[name]));
  return isFake(Reflect.get(globalThis.process ?? {}, "nextTick")) ? [...faked, "nextTick"] : faked;
}

/** Whether fake timers made a function. */
export function isFake(replaced: unknown): boolean {
  if (typeof replaced !== "function") return false;
  return "clock" in replaced || "_isMockFunction" in replaced || replaced.name.startsWith("bound #");
}
