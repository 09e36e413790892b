import { CentavoError } from "../base/errors/centavo-error.ts";
import { isThrown } from "../base/errors/thrown-values.ts";
import { addDuration, parseInstant } from "./duration.ts";
import { inWords } from "../base/errors/in-words.ts";
import type { DurationLike, InstantLike } from "./duration.ts";
import type { Engine } from "./engine.ts";
import { Alarms } from "./alarms.ts";
import {
  alone,
  checkAdvance,
  checkStrict,
  conditionOf,
  DRIVE,
  limitReached,
  naming,
  never,
  obstacle,
  refused,
  refuseUnsettled,
  truthOf,
} from "./clock-options.ts";
import type { AdvanceOptions, SettleOptions, Surroundings } from "./clock-options.ts";
import type { Driver } from "./driver.ts";
import { pendingOn } from "./pending.ts";
import type { PendingTimer } from "./pending.ts";
import { toTimestamp } from "./timestamp.ts";
import { TimerRunner } from "./timer-runner.ts";
import type { RunEnd, YieldToEventLoop } from "./timer-runner.ts";
import { Waits } from "./waits.ts";
import type { SleepOptions } from "./waits.ts";

/**
 * The virtual clock, moved by the test, and under the `auto` and `real` clocks also by itself. It goes from due moment to due moment and
 * never past one. Each timer runs at its own time, in scheduling order within one moment. Deliveries are awaited before time goes on.
 *
 * Await each call that moves it before the next one. Restoring or resetting the world ends a call that is under way.
 *
 * @example
 * import { createSimulator } from "centavo";
 *
 * const sim = createSimulator({ now: "2026-01-31T00:00:00Z" });
 * await sim.clock.settle(); // what is due now, deliveries awaited
 * await sim.clock.advance("1 month");
 * console.log(sim.clock.now()); // 2026-02-28T00:00:00.000Z
 * await sim.clock.advanceTo("2026-03-01T00:00:00Z");
 * console.log(sim.clock.pending()); // what is still to come, soonest first
 */
export class Clock {
  readonly #engine: Engine;
  readonly #surroundings: Surroundings;
  readonly #alarms = new Alarms();
  readonly #runner: TimerRunner;
  #move: { readonly call: string; readonly world: number } | undefined;
  #driven: Promise<unknown> | undefined;

  /** @internal Moves the clock between the calls of the test. */
  driver: Driver | undefined;

  /** @internal For drivers, and for what ends a world. */
  readonly waits: Waits;

  /** @internal */
  constructor(engine: Engine, yieldToEventLoop: YieldToEventLoop, surroundings: Partial<Surroundings> = {}) {
    this.#engine = engine;
    this.#surroundings = { ...alone, untilCallsRest: yieldToEventLoop, ...surroundings };
    this.waits = new Waits(engine, this.#alarms, this.#surroundings.awaitWork);
    this.#runner = new TimerRunner(engine, yieldToEventLoop, {
      alarms: this.#alarms,
      // While a driver moves the clock, other calls wait until it rests.
      afterAlarm: () => (this.#move?.call === DRIVE ? yieldToEventLoop() : this.#surroundings.untilCallsRest()),
    });
  }

  /** Returns the virtual now: ISO 8601 in UTC with milliseconds. While a delivery is under way, time stands, under every clock. */
  now(): string {
    return toTimestamp(this.driver?.now ?? this.#engine.now);
  }

  /**
   * Returns what waits for the clock, each with `what` happens then in words: timers, sleeps and timeouts, soonest first, and then every
   * call that hangs. A call that waits for the clock has a timer (`held-call/…`).
   *
   * @example
   * for (const { at, what } of sim.clock.pending()) console.log(at, what);
   */
  pending(): PendingTimer[] {
    this.#engine.runningClock.catchUp();
    return pendingOn(this.#engine, this.#alarms.all, this.#surroundings.hangingCalls());
  }

  /**
   * Returns a promise that resolves when virtual time has passed, at its own moment, also in the middle of a long advance. What it wakes
   * acts before time goes on. Under the `auto` clock, sleeps within the horizon end by themselves, and under the `real` clock all do.
   *
   * A sleep is no part of the world: no snapshot, fork, recording or digest contains it.
   * @param duration as `advance` takes it; no time means when the clock next settles or moves
   * @param options.signal ends the sleep early, with the signal's reason
   * @returns a promise that rejects with {CentavoError} `WORLD_ENDED` when `reset`, `restore` or `close` comes first, and with
   *   `INVALID_DURATION` or `INVALID_OPTION`
   *
   * @example
   * const polled = (async () => {
   *   do await sim.clock.sleep("2 s");
   *   while ((await status()) === "processing");
   * })();
   * await sim.clock.advance("1 minute");
   * await polled;
   */
  sleep(duration: DurationLike, options: SleepOptions = {}): Promise<void> {
    return this.waits.sleep(duration, options);
  }

  /**
   * Returns a signal that aborts when virtual time has passed: `AbortSignal.timeout` of the virtual clock. Its reason is a `TimeoutError`,
   * or {CentavoError} `WORLD_ENDED` when `reset`, `restore` or `close` comes first.
   * @throws {CentavoError} `INVALID_DURATION`, `CLOCK_BACKWARDS`
   *
   * @example
   * sim.faults.add({ kind: "request.hang", times: 1 });
   * const call = fetch(url, { signal: sim.clock.timeout("30 s") });
   * await sim.clock.advance("2 minutes"); // the call was given up after 30 seconds
   */
  timeout(duration: DurationLike): AbortSignal {
    return this.waits.timeout(duration);
  }

  /**
   * Runs everything that is due now, including deliveries and what follows from them. Time does not move.
   * @param options.strict rejects when anything was refused or is left: deliveries that failed and have not succeeded since, events that
   *   are still to be delivered, calls without an answer, and requests that interception refused
   * @throws {CentavoError} `NOT_SETTLED` saying what was refused and what is left, and why; `CLOCK_BUSY`, `CLOCK_LIMIT`,
   *   `CLOCK_TIMER_FAILED`, `CLOCK_AUTO_FAILED`, as `advance` does
   *
   * @example
   * await sim.clock.settle({ strict: true });
   */
  async settle(options: SettleOptions = {}): Promise<void> {
    const { strict } = checkStrict(options);
    await this.#start(strict ? "settle({ strict: true })" : "settle()", () => this.#shown, never, {});
    if (strict) refuseUnsettled(this.now(), this.#surroundings.unsettled(), this.pending());
  }

  /**
   * Lets time pass.
   * @param duration `"3 days"`, `"P1M"`, `{ months: 1 }` or a Temporal duration; months and years are calendar units in UTC
   * @param options.onProgress called with the progress of a long advance
   * @throws {CentavoError} `INVALID_DURATION`, `INVALID_OPTION`, `CLOCK_BACKWARDS` for a negative duration, `CLOCK_BUSY` when called while the
   *   clock is already moving, `CLOCK_LIMIT` when timers keep causing one another without letting time move on, `CLOCK_TIMER_FAILED` when one
   *   fails; the clock then stands at that timer's moment, and the next call goes on from there; `CLOCK_AUTO_FAILED` when something failed
   *   under the `auto` or `real` clock since the last call, when no call awaited it
   */
  async advance(duration: DurationLike, options: AdvanceOptions = {}): Promise<void> {
    checkAdvance("advance", options);
    await this.#start(`advance(${inWords(duration)})`, () => addDuration(this.#shown, duration), never, options);
  }

  /**
   * Lets time pass up to and including a moment.
   * @param instant ISO 8601, a date, milliseconds since 1970, a Date or a Temporal instant
   * @throws {CentavoError} `INVALID_DURATION`, `CLOCK_BACKWARDS` for a moment in the past, and what `advance` throws
   */
  async advanceTo(instant: InstantLike, options: AdvanceOptions = {}): Promise<void> {
    checkAdvance("advanceTo", options);
    const target = (): number => {
      const moment = parseInstant(instant);
      if (moment >= this.#shown) return moment;
      throw new CentavoError(
        "CLOCK_BACKWARDS",
        `clock.advanceTo(${toTimestamp(moment)}) would go back from ${toTimestamp(this.#shown)}, and time only moves forward. To go back, keep sim.snapshot() and sim.restore() it.`,
      );
    };
    await this.#start(`advanceTo(${inWords(instant)})`, target, never, options);
  }

  /**
   * Lets time pass, timer by timer, until the condition is true. It stops right after the timer that made it true.
   * @param condition called before the first timer, after every timer, and once more at the limit
   * @param options.limit the longest time to let pass; `"1 year"` by default
   * @throws {CentavoError} `CLOCK_LIMIT` when the condition is not true by then, and what `advance` throws
   *
   * @example
   * await sim.clock.advanceUntil(() => sim.webhooks.events().length > 0, { limit: "2 days" });
   * await sim.clock.settle(); // the event has happened; now it is delivered
   */
  async advanceUntil(
    condition: () => boolean,
    options: AdvanceOptions & { readonly limit?: DurationLike } = {},
  ): Promise<void> {
    conditionOf(condition);
    checkAdvance("advanceUntil", options, ["limit"]);
    const { limit = "1 year" } = options;
    const isMet = (): boolean => truthOf(condition);
    const end = await this.#start("advanceUntil()", () => addDuration(this.#shown, limit), isMet, options);
    const { world } = this.#engine;
    if (end !== "reached" || isMet() || world !== this.#engine.world) return;
    throw limitReached(limit, this.now(), condition, this.pending());
  }

  /**
   * Calls back with the virtual now, as `now()` returns it: before each timer, at the end of each call that moves the clock, and when a
   * world is restored or reset. An error that the listener throws rejects that call. Under the `auto` clock the error is
   * journaled, and rejects the test's next call.
   * @returns the function that removes the listener
   * @throws {CentavoError} `INVALID_OPTION` for anything but a function
   *
   * @example
   * const stop = sim.clock.onMove((now) => console.log(now));
   */
  onMove(listener: (now: string) => void): () => void {
    if (typeof listener !== "function") throw refused("onMove", "a function that takes the virtual now", listener);
    return this.#engine.onMove((now) => listener(toTimestamp(now)));
  }

  get busy(): boolean {
    return this.#moving() !== undefined;
  }

  /** Whether a call of the test is moving the clock. */
  get isMovedByTest(): boolean {
    return this.busy && this.#driven === undefined;
  }

  /**
   * Moves to a moment on behalf of a driver. Does nothing while the clock is already moving; a call of the test then waits instead of being
   * refused. Never rejects: an error is journaled, and rejects the test's next call.
   * @param until once it returns true, the clock stands where it is
   * @returns false when the driver must stop, because something other than a timer failed and would fail again
   * @internal
   */
  async driveTo(moment: number, until: () => boolean = never): Promise<boolean> {
    if (this.busy) return true;
    const { promise: driven, resolve: ends } = Promise.withResolvers<void>();
    // The run begins at once, and what happens in it has to know whose it is.
    this.#driven = driven;
    const goesOn = await this.#run(DRIVE, moment, until, {}).then(
      () => true,
      (error: unknown) => this.failsUnawaited(error),
    );
    if (this.#driven === driven) this.#driven = undefined;
    ends();
    return goesOn;
  }

  /**
   * Keeps an error for the test's next call, because no call awaits the driver.
   * @returns whether a driver may go on
   * @internal
   */
  failsUnawaited(error: unknown): boolean {
    const engine = this.#engine;
    const code = isThrown(error, CentavoError) ? error.code : undefined;
    const isOffTheClock = code === "CLOCK_TIMER_FAILED";
    engine.unawaited.add(error, engine.now, this.driver?.name);
    // The runner has journaled a failed timer already. A listener's error comes from outside the world, so the recording needs it.
    if (!isOffTheClock && code !== "CLOCK_LIMIT")
      engine.noteInput("failure", { message: engine.journal.redaction.messageOf(error) });
    return isOffTheClock;
  }

  /** The moment at which a call of the test begins, where the world has caught up with it. */
  get #shown(): number {
    return this.driver?.shown ?? this.#engine.now;
  }

  async #start(call: string, target: () => number, until: () => boolean, options: AdvanceOptions): Promise<RunEnd> {
    // Code that the clock waits for must not wait for the clock. A server that was never connected does wait, until its time is up.
    if (!this.#surroundings.isAppRunning()) {
      for (let still = this.driver?.untilStill(); still !== undefined; still = this.driver?.untilStill()) await still;
      while (this.#driven !== undefined && this.busy) await this.#driven;
    }
    const moving = this.#moving();
    if (moving !== undefined || this.#engine.inUnit) {
      throw new CentavoError(
        "CLOCK_BUSY",
        `clock.${call} was called while ${obstacle(moving?.call, this.driver?.name)}. A webhook handler or any other code that the clock waits for cannot move it; await the first call, then move on.`,
      );
    }
    this.#engine.unawaited.throwBefore(`clock.${call}`);
    const { testCalls } = this.#engine;
    testCalls.clockMoves(`sim.clock.${call}`);
    return testCalls.during(`sim.clock.${call}`, () => this.#run(call, naming(call, target), until, options));
  }

  async #run(call: string, end: number, until: () => boolean, { onProgress }: AdvanceOptions): Promise<RunEnd> {
    const move = { call, world: this.#engine.world };
    this.#move = move;
    try {
      return await this.#runner.run(end, until, onProgress);
    } finally {
      if (this.#move === move) this.#move = undefined;
      if (call !== DRIVE) this.driver?.movedByTest();
    }
  }

  /** The call that is moving the clock. A call from a replaced world does not count: it only waits for work that was in flight there. */
  #moving(): { readonly call: string } | undefined {
    return this.#move?.world === this.#engine.world ? this.#move : undefined;
  }
}
