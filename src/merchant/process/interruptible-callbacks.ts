import { isInterrupting } from "../../kit/base/runtime/loops.ts";
import { ReplacedFunctions, promisified, timerModules } from "../../kit/base/runtime/replaced-functions.ts";
import type { AnyFunction } from "../../kit/base/runtime/replaced-functions.ts";
import { doing } from "./merchant-process.ts";

const { queueMicrotask } = globalThis;

/**
 * Lets a loop in the merchant's callbacks be interrupted. Callbacks that pass on themselves for ever are dropped meanwhile. An immediate runs
 * in a microtask, because Node loses all the other immediates where the callback of one is ended in the middle. What goes on in one turn of
 * the event loop after another is counted for its program.
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
  const { timers, promises } = timerModules();
  const inTurn = counting("immediate", () => new Promise(() => undefined));
  for (const owner of [globalThis, timers])
    replaced.replace(owner, "setImmediate", (original) => {
      const standIn = counting("immediate")((callback: unknown, ...given: unknown[]) => {
        const isHeld = typeof callback === "function" && isOfMerchant();
        const run = (): void =>
          queueMicrotask(() => void Reflect.apply(callback as AnyFunction, undefined, given as never[]));
        return Reflect.apply(original, undefined, (isHeld ? [run] : [callback, ...given]) as never[]);
      });
      return Object.defineProperty(standIn, promisified, { value: inTurn(promises.setImmediate), enumerable: true });
    });
  replaced.replace(promises, "setImmediate", inTurn);
  replaced.replace(promises.scheduler, "yield", inTurn);
  for (const { prototype } of [MessagePort, BroadcastChannel])
    replaced.replace(prototype, "postMessage", counting("message"));
  replaced.tellModules();
  return () => replaced.restore();
}

/** Returns what counts the calls of a function as turns that the merchant asks for. @param refuse called where it gets none */
function counting(
  kind: "immediate" | "message",
  refuse: () => unknown = () => undefined,
): (original: AnyFunction) => AnyFunction {
  return (original) =>
    function count(this: unknown, ...given): unknown {
      const { process, cause } = doing.value ?? {};
      return process?.asksForTurn(kind, cause?.what) === false ? refuse() : Reflect.apply(original, this, given);
    };
}

function isOfMerchant(): boolean {
  return doing.value !== undefined;
}
