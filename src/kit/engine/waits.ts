import { inWords } from "../base/errors/in-words.ts";
import { CentavoError } from "../base/errors/centavo-error.ts";
import { refuseUnknownOptions } from "../base/errors/unknown-options.ts";
import type { Alarm, Alarms } from "./alarms.ts";
import { naming } from "./clock-options.ts";
import type { Surroundings } from "./clock-options.ts";
import { addDuration } from "./duration.ts";
import type { DurationLike } from "./duration.ts";
import type { Engine } from "./engine.ts";

/** Options of `clock.sleep`. */
export interface SleepOptions {
  /** Ends the sleep early: it then rejects with the signal's reason. */
  readonly signal?: AbortSignal;
}

/** What code outside the world waits for on the clock: sleeps and timeouts. */
export class Waits {
  readonly #engine: Engine;
  readonly #alarms: Alarms;
  readonly #awaitWork: Surroundings["awaitWork"];
  #onChange: (begun?: Alarm["kind"]) => void = () => undefined;

  constructor(engine: Engine, alarms: Alarms, awaitWork: Surroundings["awaitWork"]) {
    this.#engine = engine;
    this.#alarms = alarms;
    this.#awaitWork = awaitWork;
  }

  /** Calls back whenever a sleep, a timeout or a timer of the process begins, with its kind, and when any are cancelled. */
  onChange(callback: (begun?: Alarm["kind"]) => void): void {
    this.#onChange = callback;
  }

  /** The sleeps and timers of the process, soonest first. */
  get sleeps(): readonly Pick<Alarm, "at" | "call" | "kind">[] {
    return this.#alarms.all.filter(({ kind }) => kind !== "timeout");
  }

  /** When the next sleep or timer of the process is over, in milliseconds since 1970. */
  get nextSleep(): number {
    return this.#alarms.all.find(({ kind }) => kind !== "timeout")?.at ?? Infinity;
  }

  /** When the next sleep, timeout or timer of the process is over, in milliseconds since 1970. */
  get next(): number {
    return this.#alarms.all[0]?.at ?? Infinity;
  }

  end(endedBy: string, forGood: boolean): void {
    this.#alarms.end(endedBy, forGood);
    this.#onChange();
  }

  sleep(duration: DurationLike, options: SleepOptions): Promise<void> {
    const slept = this.#sleep(duration, options);
    // Without this, a sleep that is not awaited would end the process when its world ends.
    slept.catch(() => undefined);
    return slept;
  }

  timeout(duration: DurationLike): AbortSignal {
    const call = `clock.timeout(${inWords(duration)})`;
    const controller = new AbortController();
    this.#set("timeout", call, after("timeout", duration), {
      ring: () => controller.abort(new DOMException(`${call} is over.`, "TimeoutError")),
      end: (error) => controller.abort(error),
    });
    return controller.signal;
  }

  /**
   * Calls back when virtual time has passed, as a timer of the process does. It outlives its world: in the next one it begins anew.
   * @param call what set it, such as `setTimeout(1000)`
   * @returns a function that cancels the call
   */
  startTimer(call: string, milliseconds: number, ring: () => void): () => void {
    const begin = (): (() => void) =>
      this.#set("timer", call, (now) => now + milliseconds, {
        ring: () => this.#awaitWork(call, ring),
        end: (_, forGood) => (forGood ? undefined : void (remove = begin())),
      });
    let remove = begin();
    return () => remove();
  }

  async #sleep(duration: DurationLike, options: SleepOptions): Promise<void> {
    refuseUnknownOptions("clock.sleep", options, ["signal"]);
    const { signal } = options;
    if (signal !== undefined && !isSignal(signal))
      throw new CentavoError(
        "INVALID_OPTION",
        `clock.sleep: the option signal is ${inWords(signal)}. It takes an AbortSignal.`,
      );
    signal?.throwIfAborted();
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    const call = `clock.sleep(${inWords(duration)})`;
    const remove = this.#set("sleep", call, after("sleep", duration), { ring: resolve, end: reject });
    const abort = (): void => {
      remove();
      reject(signal?.reason);
    };
    signal?.addEventListener("abort", abort, { once: true });
    try {
      await promise;
    } finally {
      signal?.removeEventListener("abort", abort);
    }
  }

  /** @param until returns the moment at which it rings, given the virtual now */
  #set(
    kind: Alarm["kind"],
    call: string,
    until: (now: number) => number,
    ends: Pick<Alarm, "ring" | "end">,
  ): () => void {
    this.#engine.runningClock.catchUp();
    const { now, timers } = this.#engine;
    const remove = this.#alarms.set({ at: until(now), setAt: now, after: timers.sequence, kind, call, ...ends });
    this.#onChange(kind);
    return () => {
      remove();
      this.#onChange();
    };
  }
}

function after(call: string, duration: DurationLike): (now: number) => number {
  return (now) => naming(call, () => addDuration(now, duration));
}

/** By shape, because a signal from another realm fails `instanceof`. */
function isSignal(value: object): boolean {
  return typeof value === "object" && value !== null && "aborted" in value && "addEventListener" in value;
}
