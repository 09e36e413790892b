import { isInterrupting } from "../../kit/base/runtime/loops.ts";
import { ReplacedFunctions, timerModules } from "../../kit/base/runtime/replaced-functions.ts";
import type { AnyFunction } from "../../kit/base/runtime/replaced-functions.ts";
import { doing } from "./merchant-process.ts";

const { queueMicrotask } = globalThis;

/**
 * Lets a loop in the merchant's callbacks be interrupted. Callbacks that pass on themselves for ever are dropped meanwhile. An immediate runs
 * in a microtask, because Node loses all the other immediates where the callback of one is ended in the middle.
 * @returns a function that ends it
 */
export function makeCallbacksInterruptible(): () => void {
  const replaced = new ReplacedFunctions();
  const dropping =
    (original: AnyFunction): AnyFunction =>
    (...given) =>
      isInterrupting() && isOfMerchant() ? undefined : Reflect.apply(original, undefined, given);
  replaced.replace(globalThis.process, "nextTick", dropping);
  replaced.replace(globalThis, "queueMicrotask", dropping);
  for (const owner of [globalThis, timerModules().timers])
    replaced.replace(owner, "setImmediate", (original) => (callback: unknown, ...given: unknown[]) => {
      const isHeld = typeof callback === "function" && isOfMerchant();
      const run = (): void =>
        queueMicrotask(() => void Reflect.apply(callback as AnyFunction, undefined, given as never[]));
      return Reflect.apply(original, undefined, (isHeld ? [run] : [callback, ...given]) as never[]);
    });
  replaced.tellModules();
  return () => replaced.restore();
}

function isOfMerchant(): boolean {
  return doing.value !== undefined;
}
