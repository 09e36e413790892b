import type { Clock } from "./clock.ts";
import type { Engine } from "./engine.ts";
import type { YieldToEventLoop } from "./timer-runner.ts";

/**
 * Moves the clock while the code under test waits: after a request, and each time the event loop has turned, whatever falls due
 * within the horizon runs, and whatever stands before a held answer. Deadlines further away still need the test.
 */
export class AutoDriver {
  readonly #engine: Engine;
  readonly #clock: Clock;
  readonly #horizon: number;
  readonly #yield: YieldToEventLoop;
  #until = Number.NEGATIVE_INFINITY;
  /** The moment for which an answer is held that its client waits for, however far away. */
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

  /** A request was answered: what falls due within the horizon from here is to run while its sender waits. */
  requestAnswered(): void {
    this.#enterWorld();
    this.#until = this.#engine.now + this.#horizon;
    this.#start();
  }

  /** An answer is held until this moment, in milliseconds since 1970, and its client waits: time is to come to it. */
  waitFor(moment: number): void {
    this.#enterWorld();
    this.#heldUntil = Math.max(this.#heldUntil, moment);
    this.#start();
  }

  /** Lets the clock stand until the next request. */
  stop(): void {
    this.#until = Number.NEGATIVE_INFINITY;
    this.#heldUntil = Number.NEGATIVE_INFINITY;
  }

  /** What was waited for in another world is nobody's concern in this one. */
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
    // The horizon of a request does not reach into a world that was put in place of its own.
    if (world !== this.#world) return undefined;
    const next = timers.next();
    return next !== undefined && next.at <= Math.max(this.#until, this.#heldUntil) ? Math.max(next.at, now) : undefined;
  }
}
