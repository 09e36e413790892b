import { contextOfNow } from "../../runtime/async-context.ts";
import { doing } from "./merchant-process.ts";
import type { MerchantProcess } from "./merchant-process.ts";

/** The longest delay that Node's timers take, in milliseconds. A longer one counts as 1. */
const LONGEST_DELAY = 2 ** 31 - 1;
/** An interval that finds nothing to do for long comes after this part of the time in which nothing happened, so that a month costs no hours. */
const PART_OF_QUIET = 20;

type Callback = (...parameters: readonly unknown[]) => unknown;

/** What `setTimeout` and `setInterval` return to a merchant, with the methods of Node's timers. */
export class MerchantTimer implements Disposable {
  readonly #process: MerchantProcess;
  readonly #delay: number;
  readonly #repeats: boolean;
  readonly #isBackground: boolean;
  readonly #ring: () => unknown;
  #callOff: (() => void) | undefined;
  #id: number | undefined;

  constructor(process: MerchantProcess, delay: unknown, repeats: boolean, callback: Callback, parameters: unknown[]) {
    const inContext = contextOfNow();
    this.#process = process;
    this.#delay = delayOf(delay);
    this.#repeats = repeats;
    this.#isBackground = doing.value?.cause.kind === "open";
    this.#ring = () => inContext(() => Reflect.apply(callback, this, parameters));
    this.#begin();
  }

  /** Returns the timer of a number, which it has once it was used as one. */
  static of(timer: unknown): MerchantTimer | undefined {
    return timer instanceof MerchantTimer ? timer : doing.value?.process.timers.get(Number(timer));
  }

  #begin(): void {
    const { quiet } = this.#process.time;
    const delay =
      this.#repeats && this.#isBackground ? Math.max(this.#delay, Math.floor(quiet / PART_OF_QUIET)) : this.#delay;
    this.#callOff = this.#process.after(delay, () => {
      if (this.#repeats) this.#begin();
      else this.close();
      try {
        this.#ring();
      } catch (error) {
        this.#process.threw(error);
      }
    });
  }

  ref(): this {
    return this;
  }

  unref(): this {
    return this;
  }

  hasRef(): boolean {
    return true;
  }

  refresh(): this {
    this.#callOff?.();
    this.#begin();
    return this;
  }

  close(): this {
    this.#callOff?.();
    this.#callOff = undefined;
    if (this.#id !== undefined) this.#process.timers.delete(this.#id);
    return this;
  }

  /** Numbers below 0 are none of Node's own. */
  [Symbol.toPrimitive](): number {
    this.#id ??= this.#process.nextTimerId();
    this.#process.timers.set(this.#id, this);
    return this.#id;
  }

  [Symbol.dispose](): void {
    this.close();
  }
}

/** Starts a timer for the merchant's code that runs now; undefined when none runs. */
export function startMerchantTimer(
  callback: unknown,
  delay: unknown,
  repeats: boolean,
  parameters: unknown[],
): MerchantTimer | undefined {
  const process = doing.value?.process;
  if (process === undefined || typeof callback !== "function") return undefined;
  return new MerchantTimer(process, delay, repeats, callback as Callback, parameters);
}

/** Resolves after a delay for the merchant's code that runs now, as `setTimeout` of `node:timers/promises` does; undefined when none runs. */
export function merchantWait<Value>(
  delay: unknown,
  value: Value,
  { signal }: { readonly signal?: AbortSignal | undefined } = {},
): Promise<Value> | undefined {
  const process = doing.value?.process;
  if (process === undefined) return undefined;
  return process.waitFor(
    () =>
      new Promise((resolve, reject) => {
        const abort = (): void => {
          callOff();
          reject(abortErrorOf(signal));
        };
        const callOff = process.after(delayOf(delay), () => {
          signal?.removeEventListener("abort", abort);
          resolve(value);
        });
        if (signal?.aborted === true) abort();
        else signal?.addEventListener("abort", abort, { once: true });
      }),
  );
}

/** Yields at each interval, as `setInterval` of `node:timers/promises` does. */
export async function* merchantIntervals<Value>(
  delay: unknown,
  value: Value,
  options: { readonly signal?: AbortSignal | undefined } = {},
): AsyncGenerator<Value, void, undefined> {
  for (;;) {
    const wait = merchantWait(delay, value, options);
    if (wait === undefined) return;
    yield wait;
  }
}

/** Returns `AbortSignal.timeout` for the merchant's code that runs now; undefined when none runs. */
export function merchantTimeout(delay: unknown): AbortSignal | undefined {
  const process = doing.value?.process;
  if (process === undefined) return undefined;
  const controller = new AbortController();
  process.after(Number(delay), () =>
    controller.abort(new DOMException("The operation was aborted due to timeout", "TimeoutError")),
  );
  return controller.signal;
}

function delayOf(delay: unknown): number {
  const milliseconds = Math.trunc(Number(delay));
  return milliseconds >= 1 && milliseconds <= LONGEST_DELAY ? milliseconds : 1;
}

function abortErrorOf(signal: AbortSignal | undefined): Error {
  const error = new Error("The operation was aborted", { cause: signal?.reason });
  return Object.assign(error, { name: "AbortError", code: "ABORT_ERR" });
}
