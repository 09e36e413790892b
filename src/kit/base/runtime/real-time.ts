import { isFake } from "./fakes.ts";

/**
 * Real time of the process. Timers are kept from import, before a test fakes them. The wall clock reads the global `Date` each time,
 * because a faked `Date` is the merchant's time.
 */
const { setTimeout, clearTimeout, setInterval, clearInterval } = globalThis;
const wallClockFromTheStart = Date.now.bind(Date);
/** Undefined in a browser, and where fake timers were there before Centavo. */
const setImmediate: ((callback: () => void) => unknown) | undefined = isFake(globalThis.setImmediate)
  ? undefined
  : globalThis.setImmediate;
const clock = globalThis.process?.getBuiltinModule?.("node:perf_hooks").performance ?? performance;
/** Fake timers give the clock a `now` of its own, and leave its class alone. */
const ofClass = Object.getPrototypeOf(clock) as Partial<Pick<Performance, "now">>;
const sinceStart = ofClass.now?.bind(clock) ?? clock.now.bind(clock);
/** Whether fake timers were there before Centavo. */
const isTooLate = isFake(setTimeout);

/** Returns the process's time in milliseconds since 1970. It follows a faked `Date`. */
export function wallClock(): number {
  return Date.now();
}

/** Returns the real time since the process began, in milliseconds. No faked clock changes it. */
export function realTime(): number {
  return sinceStart();
}

/**
 * Calls back after this much real time in milliseconds, even under fake timers.
 * @param keepsProcess whether the process stays alive until then
 * @returns a function that cancels it
 */
export function startTimer(milliseconds: number, callback: () => void, keepsProcess = true): () => void {
  if (isTooLate) return startBareTimer(milliseconds, callback);
  const timer: { unref?(): void } = setTimeout(callback, milliseconds);
  if (!keepsProcess) timer.unref?.();
  return () => clearTimeout(timer as ReturnType<typeof setTimeout>);
}

/** The real time that a clock follows. */
export interface RealTime {
  /** In milliseconds since 1970. It may jump: the machine sleeps, or somebody sets its clock. */
  readonly now: () => number;
  readonly startTimer: typeof startTimer;
}

/** The wall clock, whatever fakes `Date`. */
export const wallTime: RealTime = {
  now: () => (isTooLate ? clock.timeOrigin + sinceStart() : wallClockFromTheStart()),
  startTimer,
};

/** Starts a timer that fake timers do not know. It keeps no process alive. */
function startBareTimer(milliseconds: number, callback: () => void): () => void {
  const cell = new Int32Array(new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT));
  const { value } = Atomics.waitAsync(cell, 0, 0, Math.max(1, milliseconds));
  const wait = async (): Promise<void> => {
    if ((await value) === "timed-out") callback();
  };
  void wait();
  return () => void Atomics.notify(cell, 0);
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

/** Waits for a millisecond of real time, which leaves the processor to others. */
export function aMillisecond(): Promise<void> {
  return new Promise((resolve) => startTimer(1, resolve));
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
