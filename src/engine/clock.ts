import { CentavoError } from "../errors.ts";
import { addDuration, parseInstant } from "./duration.ts";
import type { DurationLike, InstantLike } from "./duration.ts";
import type { Engine } from "./engine.ts";
import type { Timer } from "./timers.ts";

/** A timer as a test sees it. */
export interface PendingTimer {
  /** When it is due: ISO 8601, UTC. */
  readonly at: string;
  /** What is due, such as `payment_intent/pi_…/decide`. */
  readonly key: string;
  /** The input that its owner will get. */
  readonly input: Readonly<{ type: string }>;
}

/** Lets the event loop turn once, so that sockets and timers of the process are served during long advances. */
export type YieldToEventLoop = () => Promise<void>;

const LONGEST_CHAIN_IN_ONE_MOMENT = 1000;
const ERRANDS_BETWEEN_YIELDS = 64;

/**
 * The virtual clock, moved by the test alone. It goes from due moment to due moment, never past one: each timer runs at its own time,
 * what it sends out is awaited, and only then does time go on.
 *
 * @example
 * await sim.clock.settle();
 * await sim.clock.advance("3 days");
 * await sim.clock.advanceTo("2026-03-01T00:00:00Z");
 */
export class Clock {
  readonly #engine: Engine;
  readonly #yield: YieldToEventLoop;
  #busy: string | undefined;
  #errands = 0;

  constructor(engine: Engine, yieldToEventLoop: YieldToEventLoop) {
    this.#engine = engine;
    this.#yield = yieldToEventLoop;
  }

  /** The virtual now: ISO 8601 in UTC with milliseconds (`time.format`). */
  now(): string {
    return new Date(this.#engine.now).toISOString();
  }

  /** What is still to come, soonest first. */
  pending(): PendingTimer[] {
    return this.#engine.timers.pending().map(({ at, key, input }) => ({ at: new Date(at).toISOString(), key, input }));
  }

  /** Runs everything that is due at this moment, deliveries and what follows from them included. Time does not move. */
  async settle(): Promise<void> {
    await this.#run("settle", () => this.#engine.now);
  }

  /**
   * Lets time pass.
   * @param duration `"3 days"`, `"P1M"`, `{ months: 1 }` or a Temporal duration; months and years are calendar units in UTC
   * @throws {CentavoError} `INVALID_DURATION` for nonsense, `CLOCK_BACKWARDS` for a negative duration, `CLOCK_BUSY` when called while the
   *   clock is already moving, `CLOCK_LIMIT` when timers keep causing each other without letting time move on
   */
  async advance(duration: DurationLike): Promise<void> {
    await this.#run("advance", () => addDuration(this.#engine.now, duration));
  }

  /**
   * Lets time pass up to a moment, which is included.
   * @param instant ISO 8601, milliseconds since 1970, a Date or a Temporal instant
   */
  async advanceTo(instant: InstantLike): Promise<void> {
    await this.#run("advanceTo", () => {
      const target = parseInstant(instant);
      if (target >= this.#engine.now) return target;
      throw new CentavoError(
        "CLOCK_BACKWARDS",
        `clock.advanceTo(${new Date(target).toISOString()}) would go back from ${this.now()}, and time only moves forward. To go back, keep sim.snapshot() and sim.restore() it.`,
      );
    });
  }

  /**
   * Lets time pass, due moment by due moment, until the condition holds.
   * @param condition asked before the first and after every due timer
   * @param options.limit how long to go on at most; `"1 year"` by default
   * @throws {CentavoError} `CLOCK_LIMIT` when the condition does not hold by then
   */
  async advanceUntil(condition: () => boolean, options: { limit?: DurationLike } = {}): Promise<void> {
    const { limit = "1 year" } = options;
    await this.#run("advanceUntil", () => addDuration(this.#engine.now, limit), condition);
    if (condition()) return;
    throw new CentavoError("CLOCK_LIMIT", `clock.advanceUntil reached its limit at ${this.now()}, and the condition still does not hold: ${condition.toString()}`);
  }

  /** Whether the clock is moving right now. */
  get busy(): boolean {
    return this.#busy !== undefined;
  }

  async #run(call: string, target: () => number, until?: () => boolean): Promise<void> {
    if (this.#busy !== undefined || this.#engine.inUnit) {
      throw new CentavoError(
        "CLOCK_BUSY",
        `clock.${call} was called while clock.${this.#busy ?? "unit"} was still running. A webhook handler or any other code that the clock waits for cannot move it; await the first call, then move on.`,
      );
    }
    const end = target();
    this.#busy = call;
    const engine = this.#engine;
    const { world } = engine;
    try {
      for (let timer = engine.timers.next(); timer !== undefined && timer.at <= end; timer = engine.timers.next()) {
        if (until?.() === true) return;
        await this.#fire(timer);
        // A restore or reset during a delivery ends the advance of the world that is no more.
        if (world !== engine.world) return;
      }
      if (until?.() !== true) engine.now = end;
    } finally {
      this.#busy = undefined;
      engine.running = undefined;
      engine.inFlight = undefined;
    }
  }

  async #fire(timer: Timer): Promise<void> {
    const engine = this.#engine;
    if (timer.depth > LONGEST_CHAIN_IN_ONE_MOMENT) {
      throw new CentavoError(
        "CLOCK_LIMIT",
        `More than ${LONGEST_CHAIN_IN_ONE_MOMENT} timers caused one another at ${this.now()} without letting time move on; the last is ${timer.key} (${timer.input.type}). Something answers itself in a loop, such as a webhook handler that makes a new payment for every event.`,
      );
    }
    engine.now = Math.max(engine.now, timer.at);
    engine.running = timer;
    try {
      const errand = engine.fire(timer);
      if (errand === undefined) return;
      engine.inFlight = timer;
      await errand();
      engine.inFlight = undefined;
      this.#errands += 1;
      if (this.#errands % ERRANDS_BETWEEN_YIELDS === 0) await this.#yield();
    } catch (error) {
      if (!engine.timers.get(timer.key)) throw error;
      engine.abandon(timer, error);
      throw new CentavoError("CLOCK_TIMER_FAILED", `The timer ${timer.key} (${timer.input.type}), due at ${this.now()}, failed and was taken off the clock: ${error instanceof Error ? error.message : String(error)}`, { cause: error });
    }
  }
}
