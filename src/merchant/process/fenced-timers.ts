import type { AnyFunction } from "../../kit/base/runtime/replaced-functions.ts";
import type { MerchantProcess } from "./merchant-process.ts";
import type { TimerToStart } from "./merchant-timers.ts";
import { isObject } from "./plain-data.ts";

/** Makes the program of a timer forget it. */
const forgetters = new WeakMap<WeakKey, () => void>();

/**
 * Starts a timer in real time. It does not fire once its program has ended.
 * @param start the original `setTimeout` or `setInterval`
 */
export function startFencedTimer(
  process: MerchantProcess,
  start: AnyFunction,
  { callback, delay, parameters, repeats }: TimerToStart,
): NodeJS.Timeout {
  const ring = function ring(this: unknown, ...given: readonly unknown[]): void {
    if (!repeats) forget();
    if (process.isAlive) Reflect.apply(callback, this, given);
  };
  const timer = Reflect.apply(start, globalThis, [ring, delay, ...parameters] as never[]) as NodeJS.Timeout;
  const forget = process.atEnd(() => clearTimeout(timer));
  // In a DOM, a timer is a number.
  if (isObject(timer)) forgetters.set(timer, forget);
  return timer;
}

/** Makes a timer's program forget it, because it was cleared. */
export function forgetFencedTimer(timer: unknown): void {
  forgetters.get(timer as WeakKey)?.();
}
