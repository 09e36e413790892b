import { ReplacedFunctions, promisified, timerModules } from "../../kit/base/runtime/replaced-functions.ts";
import type { AnyFunction } from "../../kit/base/runtime/replaced-functions.ts";
import { copyOf } from "./copies.ts";
import { ownerNow, wholeProcess } from "./merchant-process.ts";
import { forgetFencedTimer, startFencedTimer } from "./fenced-timers.ts";
import { MerchantTimer, after, timeoutSignal, virtualWait } from "./merchant-timers.ts";
import type { Callback, VirtualTime } from "./merchant-timers.ts";
import type { MerchantProcess } from "./merchant-process.ts";
import { unproxied } from "./seen-values.ts";

let users = 0;
/** Each restores what one replacement found. Fake timers that are installed later get another replacement on top. */
const layers: (() => void)[] = [];
const standIns = new WeakSet<object>();

/**
 * Gives a merchant's code timers that end with its program: `setTimeout`, `setInterval`, `AbortSignal.timeout`, and those of `node:timers`
 * and `node:timers/promises`. They follow the program's own time, if it has one. All other code gets the originals. `structuredClone`
 * copies the values behind the store's proxies.
 * @returns a function that restores everything once every user has called it
 */
export function replaceGlobals(): () => void {
  users += 1;
  if (!standIns.has(globalThis.setTimeout)) layers.push(replace());
  return () => {
    users -= 1;
    if (users > 0) return;
    for (const putBack of layers.splice(0).toReversed()) putBack();
  };
}

function replace(): () => void {
  const replaced = new ReplacedFunctions();
  const { timers, promises } = timerModules();
  for (const owner of [globalThis, timers]) {
    replaced.replace(owner, "setTimeout", (original) => withPromise(starting(original, false), promises.setTimeout));
    replaced.replace(owner, "setInterval", (original) => starting(original, true));
    for (const name of ["clearTimeout", "clearInterval"]) replaced.replace(owner, name, clearing);
  }
  replaced.replace(promises, "setTimeout", waiting);
  replaced.replace(promises.scheduler, "wait", (original) => {
    const wait = waiting((delay: unknown, _: unknown, options: unknown) =>
      Reflect.apply(original, promises.scheduler, [delay, options] as never[]),
    );
    return (delay: unknown, options?: unknown) => wait(delay as never, undefined as never, options as never);
  });
  replaced.replace(promises, "setInterval", (original) => (delay: unknown, value: unknown, options?: object) => {
    return ownerNow() === undefined
      ? Reflect.apply(original, promises, [delay, value, options] as never[])
      : intervals(delay, value, options);
  });
  replaced.replace(AbortSignal, "timeout", (original) => (delay: unknown) => {
    const process = ownerNow();
    if (process === undefined) return Reflect.apply(original, AbortSignal, [delay] as never[]);
    const time = timeOf(process);
    return timeoutSignal((abort) => {
      if (time === undefined) setTimeout(abort, Number(delay)).unref();
      else after(process, time, Number(delay), abort);
    });
  });
  replaced.replace(globalThis, "structuredClone", (original) => (value: unknown, ...more: unknown[]) => {
    return Reflect.apply(original, globalThis, [hasProxy(value) ? copyOf(value) : value, ...more] as never[]);
  });
  standIns.add(globalThis.setTimeout);
  replaced.tellModules();
  return () => replaced.restore();
}

/** A program without a time of its own follows the clock that the whole process follows, if there is one. */
function timeOf(process: MerchantProcess): VirtualTime | undefined {
  return process.time ?? wholeProcess.process?.time;
}

function starting(original: AnyFunction, repeats: boolean): AnyFunction {
  return function start(this: unknown, callback: unknown, delay: unknown, ...parameters: unknown[]): unknown {
    const process = ownerNow();
    if (process === undefined || typeof callback !== "function" || isOfPlatform(process, callback.name))
      return Reflect.apply(original, this, [callback, delay, ...parameters] as never[]);
    const timer = { callback: callback as Callback, delay, parameters, repeats };
    const time = timeOf(process);
    return time === undefined ? startFencedTimer(process, original, timer) : new MerchantTimer(process, time, timer);
  };
}

/**
 * The names that undici's timer callback has had. They are checked first, because inspecting the stack costs more than starting a timer.
 */
const UNDICI_CALLBACK = /^onTi(?:ck|meout)$/;

/**
 * Whether a timer has to stay real. Undici, the package or the copy inside Node, shares one timer among all its connections, which outlives
 * the program that happens to start it. Where the timers of the whole process follow a clock, Node's own stay real, too.
 */
function isOfPlatform(process: MerchantProcess, callback: string): boolean {
  const isWhole = process === wholeProcess.process;
  if (!isWhole && !UNDICI_CALLBACK.test(callback)) return false;
  const { stackTraceLimit } = Error;
  Error.stackTraceLimit = 4;
  const { stack = "" } = new Error("Who starts a timer?");
  Error.stackTraceLimit = stackTraceLimit;
  // The first two are this function and the stand-in.
  const [, , , starter = "", ...others] = stack.split("\n");
  const isOfNode = isWhole && /\bnode:/.test(starter);
  return (
    isOfNode || [starter, ...others].some((frame) => frame.includes("at refreshTimeout (") && frame.includes("undici"))
  );
}

function clearing(original: AnyFunction): AnyFunction {
  return function clear(this: unknown, timer: unknown): unknown {
    const own = MerchantTimer.of(timer);
    forgetFencedTimer(timer);
    return own === undefined ? Reflect.apply(original, this, [timer] as never[]) : void own.close();
  };
}

function waiting(original: AnyFunction): AnyFunction {
  return (delay: unknown, value: unknown, options?: object) => {
    const real = () => Reflect.apply(original, undefined, [delay, value, options] as never[]) as Promise<unknown>;
    const process = ownerNow();
    if (process === undefined) return real();
    const time = timeOf(process);
    return time === undefined ? process.waitFor(real) : virtualWait(process, time, delay, value, options);
  };
}

async function* intervals(delay: unknown, value: unknown, options?: object): AsyncGenerator<unknown, void, undefined> {
  const { promises } = timerModules();
  for (;;) yield promises.setTimeout(Number(delay), value, options);
}

/** `promisify(setTimeout)` follows the same time. */
function withPromise(setTimeout: AnyFunction, real: AnyFunction): AnyFunction {
  Object.defineProperty(setTimeout, promisified, { value: waiting(real), enumerable: true });
  return setTimeout;
}

function hasProxy(value: unknown): boolean {
  const met = new Set<unknown>();
  const look = (each: unknown): boolean => {
    if (typeof each !== "object" || each === null || met.has(each)) return false;
    if (unproxied(each) !== each) return true;
    met.add(each);
    if (each instanceof Map || each instanceof Set) return [...each].flat().some(look);
    return Object.values(each).some(look);
  };
  return look(value);
}
