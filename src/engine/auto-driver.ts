import type { Clock, YieldToEventLoop } from "./clock.ts";
import type { Engine } from "./engine.ts";

/**
 * Moves the clock while the code under test waits: after a request, and each time the event loop has turned, whatever falls due
 * within the horizon runs. Deadlines further away still need the test.
 */
export class AutoDriver {
  readonly #engine: Engine;
  readonly #clock: Clock;
  readonly #horizon: number;
  readonly #yield: YieldToEventLoop;
  #until = 0;
  #driving = false;

  /** @param horizon how far to look ahead from the last request, in milliseconds of virtual time */
  constructor(engine: Engine, clock: Clock, horizon: number, yieldToEventLoop: YieldToEventLoop) {
    this.#engine = engine;
    this.#clock = clock;
    this.#horizon = horizon;
    this.#yield = yieldToEventLoop;
  }

  requestAnswered(): void {
    this.#until = this.#engine.now + this.#horizon;
    if (this.#driving) return;
    this.#driving = true;
    void this.#drive();
  }

  async #drive(): Promise<void> {
    try {
      // The caller sees its answer before anything moves.
      await this.#yield();
      for (let next = this.#engine.timers.next(); next !== undefined && next.at <= this.#until; next = this.#engine.timers.next()) {
        if (!this.#clock.busy) await this.#clock.advanceTo(Math.max(next.at, this.#engine.now));
        await this.#yield();
      }
    } catch {
      // The clock has journaled the failure; there is nobody to throw it to.
    } finally {
      this.#driving = false;
    }
  }
}
