import type { Clock } from "./clock.ts";
import type { Driven, Driver } from "./driver.ts";
import type { Engine } from "./engine.ts";
import { Patience } from "./patience.ts";
import type { YieldToEventLoop } from "./timer-runner.ts";

/**
 * Moves the clock while the code under test waits. After a request, it runs every timer and sleep within the horizon, and those up to the
 * moment of a held answer, with a turn of the event loop after each. Later deadlines are left to the test. The next request waits until all
 * of this has run, so its answer depends only on earlier requests, never on how long the code under test paused.
 */
export class AutoDriver implements Driver {
  readonly name = "auto";
  isHeld = false;
  readonly #horizon: number;
  readonly #patience = new Patience();
  #own: Driven | undefined;
  #until = Number.NEGATIVE_INFINITY;
  /** The latest moment that a held answer waits for. The horizon does not limit it. */
  #heldUntil = Number.NEGATIVE_INFINITY;
  #world = 0;
  #driving: PromiseWithResolvers<void> | undefined;

  /** @param horizon how far to look ahead from the last request, in milliseconds of virtual time */
  constructor(horizon: number) {
    this.#horizon = horizon;
  }

  drive(engine: Engine, clock: Clock, yieldToEventLoop: YieldToEventLoop): void {
    this.#own = { engine, clock, yieldToEventLoop };
    clock.driver = this;
    clock.waits.onChange((begun) => {
      // A timeout is no reason to move the clock: it only ends a wait for something else.
      if (begun === "sleep" || begun === "timer") this.#start();
    });
  }

  get shown(): number {
    return this.now;
  }

  get now(): number {
    return this.#driven.engine.now;
  }

  /** Runs what falls due within the horizon from now. */
  callAnswered(): void {
    const engine = this.#enterWorld();
    this.#until = engine.now + this.#horizon;
    this.#start();
  }

  /** Moves the clock to the moment of a held answer, because its client waits for it. */
  waitFor(moment: number): void {
    this.#enterWorld();
    this.#heldUntil = Math.max(this.#heldUntil, moment);
    this.#start();
  }

  untilRest(): Promise<void> | undefined {
    const { engine, clock } = this.#driven;
    if (this.#driving === undefined || clock.isMovedByTest) return undefined;
    return this.#patience.wait(engine);
  }

  untilStill(): Promise<void> | undefined {
    return this.#driving?.promise;
  }

  movedByTest(): void {}

  /** Stops the clock until the next request. */
  stop(): void {
    this.#until = Number.NEGATIVE_INFINITY;
    this.#heldUntil = Number.NEGATIVE_INFINITY;
  }

  get #driven(): Driven {
    if (this.#own === undefined) throw new TypeError("A driver needs a clock before the first call.");
    return this.#own;
  }

  /** Drops the deadlines of a replaced world. */
  #enterWorld(): Engine {
    const { engine } = this.#driven;
    if (this.#world !== engine.world) {
      this.#world = engine.world;
      this.stop();
    }
    return engine;
  }

  #start(): void {
    if (this.#driving !== undefined || this.isHeld) return;
    this.#driving = Promise.withResolvers();
    void this.#drive();
  }

  async #drive(): Promise<void> {
    const { clock, yieldToEventLoop } = this.#driven;
    // Lets the caller see its answer before anything moves.
    await yieldToEventLoop();
    for (let due = this.#nextDue(); due !== undefined; due = this.#nextDue()) {
      if (!(await clock.driveTo(due))) break;
      await yieldToEventLoop();
    }
    this.#driving?.resolve();
    this.#driving = undefined;
    this.#patience.end();
  }

  #nextDue(): number | undefined {
    const { engine, clock } = this.#driven;
    const { timers, now, world } = engine;
    // A request's horizon ends with its world.
    if (world !== this.#world) return undefined;
    const next = Math.min(timers.next()?.at ?? Infinity, clock.waits.nextSleep);
    return next <= Math.max(this.#until, this.#heldUntil) ? Math.max(next, now) : undefined;
  }
}
