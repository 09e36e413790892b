import { contextOfNow } from "../../kit/base/runtime/async-context.ts";
import { asCallerNow } from "../../kit/receivers/app-work.ts";
import { doing, ownerNow } from "./merchant-process.ts";
import { merchantWork } from "./merchant-work.ts";
import type { Cause, MerchantProcess } from "./merchant-process.ts";

/** The longest delay of Node's timers, in milliseconds. A longer delay counts as 1. */
const LONGEST_DELAY = 2 ** 31 - 1;
/** How many pauses the work of one cause makes before it counts as work that only waits for time. */
const FEW_PAUSES = 20;
/** Such work waits at least the quiet time divided by this. */
const PART_OF_QUIET = 20;

/** A time that a program's timers follow. */
export interface VirtualTime {
  /** How long nothing has reached the merchant, in milliseconds. */
  readonly quiet: number;
  /**
   * Calls back after some time, in milliseconds.
   * @returns a function that cancels the call
   */
  after(milliseconds: number, ring: () => void): () => void;
}

export type Callback = (...parameters: readonly unknown[]) => unknown;

/** The arguments of a program's `setTimeout` or `setInterval`. */
export interface TimerToStart {
  readonly callback: Callback;
  readonly delay: unknown;
  readonly parameters: readonly unknown[];
  readonly repeats: boolean;
}

/** What `setTimeout` and `setInterval` return to a merchant, with the methods of Node's timers. */
export class MerchantTimer implements Disposable {
  readonly #process: MerchantProcess;
  readonly #time: VirtualTime;
  readonly #delay: number;
  readonly #repeats: boolean;
  readonly #cause: Cause | undefined;
  readonly #ring: () => unknown;
  #callOff: (() => void) | undefined;
  #id: number | undefined;

  constructor(process: MerchantProcess, time: VirtualTime, { callback, delay, parameters, repeats }: TimerToStart) {
    const inContext = contextOfNow();
    this.#process = process;
    this.#time = time;
    this.#delay = delayOf(delay);
    this.#repeats = repeats;
    this.#cause = doing.value?.cause;
    this.#ring = () => {
      const asCaller = asCallerNow();
      return inContext(() => asCaller(() => Reflect.apply(callback, this, parameters)));
    };
    this.#begin();
  }

  /** Returns the timer with a number. A timer gets its number when it is first used as one. */
  static of(timer: unknown): MerchantTimer | undefined {
    if (timer instanceof MerchantTimer) return timer;
    // To read an object as a number would make Node keep it.
    return typeof timer === "object" ? undefined : ownerNow()?.timers.get(Number(timer));
  }

  #begin(): void {
    const delay = pacedDelay(this.#time, this.#delay, this.#cause, this.#repeats);
    this.#callOff = after(this.#process, this.#time, delay, () => {
      if (this.#repeats) this.#begin();
      else this.close();
      try {
        this.#ring();
      } catch (error) {
        if (!this.#process.threw(error)) throw error;
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

  /** Negative, because Node's own numbers are positive. */
  [Symbol.toPrimitive](): number {
    this.#id ??= this.#process.nextTimerId();
    this.#process.timers.set(this.#id, this);
    return this.#id;
  }

  [Symbol.dispose](): void {
    this.close();
  }
}

/** Resolves after a delay of virtual time, as `setTimeout` of `node:timers/promises` does. */
export function virtualWait<Value>(
  process: MerchantProcess,
  time: VirtualTime,
  delay: unknown,
  value: Value,
  { signal }: { readonly signal?: AbortSignal | undefined } = {},
): Promise<Value> {
  const milliseconds = pacedDelay(time, delayOf(delay));
  return process.waitFor(
    () =>
      new Promise((resolve, reject) => {
        const abort = (): void => {
          callOff();
          reject(abortErrorOf(signal));
        };
        const callOff = after(process, time, milliseconds, () => {
          signal?.removeEventListener("abort", abort);
          resolve(value);
        });
        if (signal?.aborted === true) abort();
        else signal?.addEventListener("abort", abort, { once: true });
      }),
  );
}

/**
 * Returns how long a program waits that waits for nothing but time, such as an interval, or a loop that polls: longer, the longer nothing has
 * reached it, so that a month without work does not take hours.
 * @param delay in milliseconds
 */
export function pacedDelay(time: VirtualTime, delay: number, cause = doing.value?.cause, repeats = false): number {
  if (cause === undefined) return delay;
  cause.pauses = (cause.pauses ?? 0) + 1;
  const isPaced = cause.pauses > FEW_PAUSES || (repeats && cause.kind === "open");
  return isPaced ? Math.max(delay, Math.floor(time.quiet / PART_OF_QUIET)) : delay;
}

/**
 * Makes the signal of `AbortSignal.timeout` for a program.
 * @param start calls back after the delay
 */
export function timeoutSignal(start: (abort: () => void) => void): AbortSignal {
  const controller = new AbortController();
  start(() => controller.abort(new DOMException("The operation was aborted due to timeout", "TimeoutError")));
  return controller.signal;
}

/**
 * Calls back after some virtual time, in milliseconds, unless the program has ended.
 * @returns a function that cancels the call
 */
export function after(process: MerchantProcess, time: VirtualTime, milliseconds: number, ring: () => void): () => void {
  if (!process.isAlive) return () => undefined;
  const what = doing.value?.cause.what;
  const begin = (): void => {
    forget();
    merchantWork.begins(what);
    ring();
  };
  const stop = time.after(milliseconds, begin);
  const forget = process.atEnd(stop);
  return () => {
    forget();
    stop();
  };
}

function delayOf(delay: unknown): number {
  const milliseconds = Math.trunc(Number(delay));
  return milliseconds >= 1 && milliseconds <= LONGEST_DELAY ? milliseconds : 1;
}

function abortErrorOf(signal: AbortSignal | undefined): Error {
  const error = new Error("The operation was aborted", { cause: signal?.reason });
  return Object.assign(error, { name: "AbortError", code: "ABORT_ERR" });
}
