import { startTimer } from "../base/runtime/real-time.ts";
import type { Engine } from "./engine.ts";
import type { Timer } from "./timer.ts";

/**
 * How many turns of the event loop, of a millisecond or more, calls wait for an app's answer before the driver assumes that the app itself
 * made them. On a busy machine turns take longer, as the app does.
 */
const TURNS = 250;

/**
 * How long calls wait while a driver moves the clock. An app may call through code that async context does not follow, such as a worker. If
 * that call waited for the app's answer, the app would wait for itself.
 */
export class Patience {
  #waiting: { readonly over: PromiseWithResolvers<void>; readonly stop: () => void } | undefined;
  /** The delivery that calls no longer wait for. */
  #notAwaited: Timer | undefined;

  /** Resolves when a waiting call may be answered after all; undefined when it need not wait. */
  wait(engine: Engine): Promise<void> | undefined {
    if (this.#notAwaited !== undefined && engine.inFlight.includes(this.#notAwaited)) return undefined;
    this.#waiting ??= this.#begin(engine);
    return this.#waiting.over.promise;
  }

  /** Lets all waiting calls be answered. */
  end(): void {
    const waiting = this.#waiting;
    this.#waiting = undefined;
    waiting?.stop();
    waiting?.over.resolve();
  }

  #begin(engine: Engine): { readonly over: PromiseWithResolvers<void>; readonly stop: () => void } {
    const [first] = engine.inFlight;
    let turns = 0;
    const turn = (): void => {
      turns += 1;
      if (turns < TURNS) {
        stop = startTimer(1, turn);
        return;
      }
      if (first !== undefined && engine.inFlight.includes(first)) this.#notAwaited = first;
      this.end();
    };
    let stop = startTimer(1, turn);
    return { over: Promise.withResolvers(), stop: () => stop() };
  }
}
