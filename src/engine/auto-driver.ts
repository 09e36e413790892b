import type { Clock } from "./clock.ts";
import type { Engine } from "./engine.ts";
import type { YieldToEventLoop } from "./timer-runner.ts";

/**
 * Moves the clock while the code under test waits. After a request it runs every timer within the horizon, and every timer up to the
 * moment of a held answer, with a turn of the event loop after each. The test moves the clock to later deadlines.
 */
export class AutoDriver {
  readonly #engine: Engine;
  readonly #clock: Clock;
  readonly #horizon: number;
  readonly #yield: YieldToEventLoop;
  #until = Number.NEGATIVE_INFINITY;
  /** The latest moment for which a held answer waits. The horizon does not limit it. */
  #heldUntil = Number.NEGATIVE_INFINITY;
  #world = 0;
  #driving = false;

  /** @param horizon how far to look ahead from the last request, in milliseconds of virtual time */
  constructor(engine: Engine, clock: Clock, horizon: number, yieldToEventLoop: YieldToEventLoop) {
    this.#engine = engine;
    this.#clock = clock;
    this.#horizon = horizon;
    this.#yield = yieldToEventLoop;
  }

  /** Runs what falls due within the horizon from now. Call it after each answered request. */
  requestAnswered(): void {
    this.#enterWorld();
    this.#until = this.#engine.now + this.#horizon;
    this.#start();
  }

  /** Moves the clock to the moment for which a held answer waits, in milliseconds since 1970, because its client waits too. */
  waitFor(moment: number): void {
    this.#enterWorld();
    this.#heldUntil = Math.max(this.#heldUntil, moment);
    this.#start();
  }

  /** Stops the clock until the next request. */
  stop(): void {
    this.#until = Number.NEGATIVE_INFINITY;
    this.#heldUntil = Number.NEGATIVE_INFINITY;
  }

  /** Forgets the moments of a replaced world. */
  #enterWorld(): void {
    if (this.#world === this.#engine.world) return;
    this.#world = this.#engine.world;
    this.#until = Number.NEGATIVE_INFINITY;
    this.#heldUntil = Number.NEGATIVE_INFINITY;
  }

  #start(): void {
    if (this.#driving) return;
    this.#driving = true;
    void this.#drive();
  }

  async #drive(): Promise<void> {
    // The caller sees its answer before anything moves.
    await this.#yield();
    for (let due = this.#nextDue(); due !== undefined; due = this.#nextDue()) {
      if (!(await this.#clock.driveTo(due))) break;
      await this.#yield();
    }
    this.#driving = false;
  }

  #nextDue(): number | undefined {
    const { timers, now, world } = this.#engine;
    // A request's horizon ends with its world.
    if (world !== this.#world) return undefined;
    const next = timers.next();
    return next !== undefined && next.at <= Math.max(this.#until, this.#heldUntil) ? Math.max(next.at, now) : undefined;
  }
}
