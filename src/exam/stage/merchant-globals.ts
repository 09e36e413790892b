import { ReplacedFunctions, promisified, timerModules } from "../../runtime/replaced-functions.ts";
import type { AnyFunction } from "../../runtime/replaced-functions.ts";
import { copyOf } from "./copies.ts";
import { doing } from "./merchant-process.ts";
import {
  MerchantTimer,
  merchantIntervals,
  merchantTimeout,
  merchantWait,
  startMerchantTimer,
} from "./merchant-timers.ts";
import { unproxied } from "./seen-values.ts";

/**
 * Gives code of a merchant its own time while an exam runs: `setTimeout`, `setInterval`, `AbortSignal.timeout`, and those of `node:timers`
 * and `node:timers/promises`. All other code gets what was there before. `structuredClone` copies the values behind the store's proxies.
 * @returns a function that puts everything back
 */
export function replaceGlobals(): () => void {
  const replaced = new ReplacedFunctions();
  const { timers, promises } = timerModules();
  for (const owner of [globalThis, timers]) {
    replaced.replace(owner, "setTimeout", (original) => withPromise(starting(original, false), promises.setTimeout));
    replaced.replace(owner, "setInterval", (original) => starting(original, true));
    for (const name of ["clearTimeout", "clearInterval"]) replaced.replace(owner, name, clearing);
  }
  replaced.replace(promises, "setTimeout", waiting);
  replaced.replace(promises.scheduler, "wait", (original) => (delay: unknown, options?: object) => {
    return (
      merchantWait(delay, undefined, options) ??
      Reflect.apply(original, promises.scheduler, [delay, options] as never[])
    );
  });
  replaced.replace(promises, "setInterval", (original) => (delay: unknown, value: unknown, options?: object) => {
    return doing.value === undefined
      ? Reflect.apply(original, promises, [delay, value, options] as never[])
      : merchantIntervals(delay, value, options);
  });
  replaced.replace(AbortSignal, "timeout", (original) => (delay: unknown) => {
    return merchantTimeout(delay) ?? Reflect.apply(original, AbortSignal, [delay] as never[]);
  });
  replaced.replace(globalThis, "structuredClone", (original) => (value: unknown, ...more: unknown[]) => {
    return Reflect.apply(original, globalThis, [hasProxy(value) ? copyOf(value) : value, ...more] as never[]);
  });
  replaced.tellModules();
  return () => replaced.restore();
}

function starting(original: AnyFunction, repeats: boolean): AnyFunction {
  return function start(this: unknown, callback: unknown, delay: unknown, ...parameters: unknown[]): unknown {
    return (
      startMerchantTimer(callback, delay, repeats, parameters) ??
      Reflect.apply(original, this, [callback, delay, ...parameters] as never[])
    );
  };
}

function clearing(original: AnyFunction): AnyFunction {
  return function clear(this: unknown, timer: unknown): unknown {
    const own = MerchantTimer.of(timer);
    return own === undefined ? Reflect.apply(original, this, [timer] as never[]) : void own.close();
  };
}

function waiting(original: AnyFunction): AnyFunction {
  return (delay: unknown, value: unknown, options?: object) =>
    merchantWait(delay, value, options) ?? Reflect.apply(original, undefined, [delay, value, options] as never[]);
}

/** `promisify(setTimeout)` waits in the same time. */
function withPromise(setTimeout: AnyFunction, real: AnyFunction): AnyFunction {
  Object.defineProperty(setTimeout, promisified, { value: waiting(real), configurable: true });
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
