import { startTimer } from "../base/runtime/real-time.ts";
import type { Clock } from "./clock.ts";
import type { Engine } from "./engine.ts";
import type { Timer } from "./timer.ts";
import type { YieldToEventLoop } from "./timer-runner.ts";

/**
 * How many turns of the event loop, of a millisecond or more, calls wait for an app's answer before the driver assumes that the app itself
 * made them. On a busy machine turns take longer, as the app does.
 */
const PATIENCE = 250;

interface Patience {
  readonly over: PromiseWithResolvers<void>;
  readonly stop: () => void;
}

/** The world whose clock the driver moves. */
interface Driven {
  readonly engine: Engine;
  readonly clock: Clock;
  readonly yieldToEventLoop: YieldToEventLoop;
}

/**
 * Moves the clock while the code under test waits. After a request, it runs every timer and sleep within the horizon, and those up to the
 * moment of a held answer, with a turn of the event loop after each. Later deadlines are left to the test. The next request waits until all
 * of this has run, so its answer depends only on earlier requests, never on how long the code under test paused.
 */
export class AutoDriver {
  readonly #horizon: number;
  #own: Driven | undefined;
  #until = Number.NEGATIVE_INFINITY;
  /** The latest moment that a held answer waits for. The horizon does not limit it. */
  #heldUntil = Number.NEGATIVE_INFINITY;
  #world = 0;
  #driving: PromiseWithResolvers<void> | undefined;
  /** Resolved when a waiting call may be answered after all. */
  #patience: Patience | undefined;
  /** The delivery that calls no longer wait for. */
  #notAwaited: Timer | undefined;

  /** @param horizon how far to look ahead from the last request, in milliseconds of virtual time */
  constructor(horizon: number) {
    this.#horizon = horizon;
  }

  /** Begins to drive a world's clock. */
  drive(engine: Engine, clock: Clock, yieldToEventLoop: YieldToEventLoop): void {
    this.#own = { engine, clock, yieldToEventLoop };
    clock.followAfter(() => this.#driving?.promise);
    clock.waits.onSleep(() => this.#start());
  }

  /** Runs what falls due within the horizon from now. Call this whenever a request is answered. */
  callAnswered(): void {
    const engine = this.#enterWorld();
    this.#until = engine.now + this.#horizon;
    this.#start();
  }

  /** Moves the clock to the moment of a held answer, in milliseconds since 1970, because its client waits for it. */
  waitFor(moment: number): void {
    this.#enterWorld();
    this.#heldUntil = Math.max(this.#heldUntil, moment);
    this.#start();
  }

  /** Resolves when a waiting request may be answered; undefined when it need not wait. */
  untilRest(): Promise<void> | undefined {
    const { engine, clock } = this.#driven;
    if (this.#driving === undefined || clock.isMovedByTest) return undefined;
    if (this.#notAwaited !== undefined && engine.inFlight.includes(this.#notAwaited)) return undefined;
    this.#patience ??= this.#beginPatience(engine);
    return this.#patience.over.promise;
  }

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
    if (this.#driving !== undefined) return;
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
    this.#endPatience();
  }

  #nextDue(): number | undefined {
    const { engine, clock } = this.#driven;
    const { timers, now, world } = engine;
    // A request's horizon ends with its world.
    if (world !== this.#world) return undefined;
    // A timeout is no reason to move the clock: it only ends a wait for something else.
    const next = Math.min(timers.next()?.at ?? Infinity, clock.waits.nextSleep);
    return next <= Math.max(this.#until, this.#heldUntil) ? Math.max(next, now) : undefined;
  }

  /**
   * An app may call through code that async context does not follow, such as a worker. If that call waited for the app's answer, the app
   * would wait for itself.
   */
  #beginPatience(engine: Engine): Patience {
    const [first] = engine.inFlight;
    let turns = 0;
    const turn = (): void => {
      turns += 1;
      if (turns < PATIENCE) {
        stop = startTimer(1, turn);
        return;
      }
      if (first !== undefined && engine.inFlight.includes(first)) this.#notAwaited = first;
      this.#endPatience();
    };
    let stop = startTimer(1, turn);
    return { over: Promise.withResolvers(), stop: () => stop() };
  }

  #endPatience(): void {
    const patience = this.#patience;
    this.#patience = undefined;
    patience?.stop();
    patience?.over.resolve();
  }
}
