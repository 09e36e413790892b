import { CentavoError } from "../errors/centavo-error.ts";
import { isThrown } from "../errors/thrown-values.ts";
import { addDuration, inWords, parseInstant } from "./duration.ts";
import type { DurationLike, InstantLike } from "./duration.ts";
import type { Engine } from "./engine.ts";
import { TimerRunner } from "./timer-runner.ts";
import type { Progress, RunEnd, YieldToEventLoop } from "./timer-runner.ts";
import { keyOf } from "./timer.ts";
import { refuseUnknownOptions } from "../errors/unknown-options.ts";

const CONDITION = '() => sim.intents.last()?.status === "succeeded"';

/** A timer as a test sees it, or a call that hangs. */
export interface PendingTimer {
  /** When it is due: ISO 8601, UTC. Absent for a call that hangs, which only its client or the end of its world ends. */
  readonly at?: string;
  /** `hanging-call/` and the call, such as `hanging-call/POST /v1/charges`; of a timer its owner, subject and name, such as `charge/ch_…/settle`. */
  readonly key: string;
  /** The input that its subject will get. */
  readonly input: Readonly<{ type: string }>;
}

/** Options of the calls that move the clock. */
export interface AdvanceOptions {
  /** Called with the progress every 1000 timers and at the end. */
  readonly onProgress?: (progress: Progress) => void;
}

/** What a clock needs to know of what is around it. */
interface Surroundings {
  readonly isCalledBack?: () => boolean;
  readonly hangingCalls?: () => readonly string[];
}

/**
 * The virtual clock, moved by the test. It goes from due moment to due moment and never past one. Each timer runs at its own time, in
 * scheduling order within one moment. Deliveries are awaited before time goes on.
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
  readonly #isCalledBack: () => boolean;
  readonly #runner: TimerRunner;
  #move: { readonly call: string; readonly world: number } | undefined;
  readonly #hangingCalls: () => readonly string[];
  #driven: Promise<unknown> | undefined;
  #driverRests: (() => Promise<void> | undefined) | undefined;

  /**
   * @internal
   * @param surroundings.isCalledBack whether the code that runs now may be an app whose answer the clock awaits
   * @param surroundings.hangingCalls names the calls that hang, as in `POST /v1/charges`
   */
  constructor(engine: Engine, yieldToEventLoop: YieldToEventLoop, surroundings: Surroundings = {}) {
    this.#engine = engine;
    this.#isCalledBack = surroundings.isCalledBack ?? (() => false);
    this.#hangingCalls = surroundings.hangingCalls ?? (() => []);
    this.#runner = new TimerRunner(engine, yieldToEventLoop);
  }

  /** Returns the virtual now: ISO 8601 in UTC with milliseconds. */
  now(): string {
    return new Date(this.#engine.now).toISOString();
  }

  /** Returns every pending timer, soonest first, and then every call that hangs. A call that waits for the clock has a timer (`held-call/…`). */
  pending(): PendingTimer[] {
    const timers = this.#engine.timers.pending().map((timer) => ({
      at: new Date(timer.at).toISOString(),
      key: keyOf(timer),
      input: structuredClone(timer.input),
    }));
    const hanging = this.#hangingCalls().map((call) => ({ key: `hanging-call/${call}`, input: { type: "give_up" } }));
    return [...timers, ...hanging];
  }

  /**
   * Runs everything that is due now, including deliveries and what follows from them. Time does not move.
   * @throws {CentavoError} `CLOCK_BUSY`, `CLOCK_LIMIT`, `CLOCK_TIMER_FAILED`, `CLOCK_AUTO_FAILED`, as `advance` does
   */
  async settle(): Promise<void> {
    await this.#start("settle()", () => this.#engine.now);
  }

  /**
   * Lets time pass.
   * @param duration `"3 days"`, `"P1M"`, `{ months: 1 }` or a Temporal duration; months and years are calendar units in UTC
   * @param options.onProgress called with the progress of a long advance
   * @throws {CentavoError} `INVALID_DURATION`, `INVALID_OPTION`, `CLOCK_BACKWARDS` for a negative duration, `CLOCK_BUSY` when called while the clock is already moving, `CLOCK_LIMIT` when timers keep causing one another without letting time move on,
   *   `CLOCK_TIMER_FAILED` when one fails; the clock then stands at that timer's moment, and the next call goes on from there;
   *   `CLOCK_AUTO_FAILED` when something failed under the `auto` clock since the last call, when no call awaited it
   */
  async advance(duration: DurationLike, options: AdvanceOptions = {}): Promise<void> {
    checkOptions("advance", options);
    await this.#start(`advance(${inWords(duration)})`, () => addDuration(this.#engine.now, duration), never, options);
  }

  /**
   * Lets time pass up to and including a moment.
   * @param instant ISO 8601, a date, milliseconds since 1970, a Date or a Temporal instant
   * @throws {CentavoError} `INVALID_DURATION`, `CLOCK_BACKWARDS` for a moment in the past, and what `advance` throws
   */
  async advanceTo(instant: InstantLike, options: AdvanceOptions = {}): Promise<void> {
    checkOptions("advanceTo", options);
    const target = (): number => {
      const moment = parseInstant(instant);
      if (moment >= this.#engine.now) return moment;
      throw new CentavoError(
        "CLOCK_BACKWARDS",
        `clock.advanceTo(${new Date(moment).toISOString()}) would go back from ${this.now()}, and time only moves forward. To go back, keep sim.snapshot() and sim.restore() it.`,
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
    if (typeof condition !== "function") throw refused("advanceUntil", `a condition such as ${CONDITION}`, condition);
    checkOptions("advanceUntil", options, ["limit"]);
    const { limit = "1 year" } = options;
    const isMet = (): boolean => truthOf(condition);
    const end = await this.#start("advanceUntil()", () => addDuration(this.#engine.now, limit), isMet, options);
    const { world } = this.#engine;
    if (end !== "reached" || isMet() || world !== this.#engine.world) return;
    const next = this.#engine.timers.next();
    const advice =
      next === undefined
        ? "No timer is left that could make it true; sim.journal shows what happened."
        : `Next on the clock is ${keyOf(next)}, due ${new Date(next.at).toISOString()}; give a longer limit if that is what you wait for.`;
    throw new CentavoError(
      "CLOCK_LIMIT",
      `clock.advanceUntil reached its limit of ${inWords(limit)} at ${this.now()}, and the condition is still not true: ${condition.toString()}. ${advice}`,
    );
  }

  /**
   * Calls back with the virtual now, in milliseconds since 1970: before each timer, at the end of each call that moves the clock, and
   * when a world is restored or reset. An error that the listener throws rejects that call. Under the `auto` clock the error is
   * journaled, and rejects the test's next call.
   * @returns the function that removes the listener
   * @throws {CentavoError} `INVALID_OPTION` for anything but a function
   *
   * @example
   * const stop = sim.clock.onMove((now) => console.log(new Date(now).toISOString()));
   */
  onMove(listener: (now: number) => void): () => void {
    if (typeof listener !== "function")
      throw refused("onMove", "a function that takes the virtual now in milliseconds", listener);
    return this.#engine.onMove(listener);
  }

  /** True while the clock is moving. */
  get busy(): boolean {
    return this.#moving() !== undefined;
  }

  /** True while a call of the test moves the clock. */
  get isMovedByTest(): boolean {
    return this.busy && this.#driven === undefined;
  }

  /**
   * Makes every call of the test wait until a driver rests.
   * @param untilRest undefined when it rests
   * @internal
   */
  followAfter(untilRest: () => Promise<void> | undefined): void {
    this.#driverRests = untilRest;
  }

  /**
   * Moves to a moment on behalf of a driver. Does nothing while the clock is moving already; a call of the test waits for it instead of
   * being refused. Never rejects: an error is journaled, and rejects the test's next call.
   * @returns false when the driver must stop, because something other than a timer failed and would fail again
   * @internal
   */
  async driveTo(moment: number): Promise<boolean> {
    if (this.busy) return true;
    const driven = this.#run("driveTo()", moment, never, {}).then(
      () => true,
      (error: unknown) => this.#failsUnawaited(error),
    );
    this.#driven = driven;
    const goesOn = await driven;
    if (this.#driven === driven) this.#driven = undefined;
    return goesOn;
  }

  #failsUnawaited(error: unknown): boolean {
    const engine = this.#engine;
    const code = isThrown(error, CentavoError) ? error.code : undefined;
    const isOffTheClock = code === "CLOCK_TIMER_FAILED";
    engine.unawaited.add(error, engine.now);
    // The runner journals a timer's own failure. What a listener throws comes from outside the world, so the recording needs it.
    if (!isOffTheClock && code !== "CLOCK_LIMIT")
      engine.noteInput("failure", { message: engine.journal.redaction.messageOf(error) });
    return isOffTheClock;
  }

  async #start(
    call: string,
    target: () => number,
    until: () => boolean = never,
    options: AdvanceOptions = {},
  ): Promise<RunEnd> {
    // What the clock waits for cannot wait for the clock.
    if (!this.#isCalledBack()) {
      for (let rest = this.#driverRests?.(); rest !== undefined; rest = this.#driverRests?.()) await rest;
      while (this.#driven !== undefined && this.busy) await this.#driven;
    }
    const moving = this.#moving();
    if (moving !== undefined || this.#engine.inUnit) {
      throw new CentavoError(
        "CLOCK_BUSY",
        `clock.${call} was called while ${moving === undefined ? "a command" : `clock.${moving.call}`} was still running. A webhook handler or any other code that the clock waits for cannot move it; await the first call, then move on.`,
      );
    }
    this.#engine.unawaited.throwBefore(`clock.${call}`);
    return this.#run(call, target(), until, options);
  }

  async #run(call: string, end: number, until: () => boolean, { onProgress }: AdvanceOptions): Promise<RunEnd> {
    const move = { call, world: this.#engine.world };
    this.#move = move;
    try {
      return await this.#runner.run(end, until, onProgress);
    } finally {
      if (this.#move === move) this.#move = undefined;
    }
  }

  /** The call that moves the clock. A call in a replaced world does not count: it only waits for work that was in flight there. */
  #moving(): { readonly call: string } | undefined {
    return this.#move?.world === this.#engine.world ? this.#move : undefined;
  }
}

/** Refuses options that would silently do nothing, or would fail only after time has moved. */
function checkOptions(call: string, options: unknown, own: readonly string[] = []): void {
  const names = ["onProgress", ...own];
  if (typeof options !== "object" || options === null)
    throw refused(call, `its options as an object with ${names.join(" or ")}`, options);
  refuseUnknownOptions(`clock.${call}`, options, names);
  const { onProgress } = options as { readonly onProgress?: unknown };
  if (onProgress === undefined || typeof onProgress === "function") return;
  throw new CentavoError(
    "INVALID_OPTION",
    `The option onProgress of clock.${call} is ${inWords(onProgress)}. It takes a function that gets the progress of the call.`,
  );
}

function refused(call: string, takes: string, given: unknown): CentavoError {
  return new CentavoError("INVALID_OPTION", `clock.${call} takes ${takes}, not ${inWords(given)}.`);
}

function truthOf(condition: () => boolean): boolean {
  const answer: unknown = condition();
  if (typeof answer === "object" && answer !== null && "then" in answer) {
    throw new CentavoError(
      "INVALID_OPTION",
      `The condition of clock.advanceUntil returned a promise, which always counts as true: ${condition.toString()}. Make it return a value at once, as sim's readers do, such as sim.intents.get(id).`,
    );
  }
  return Boolean(answer);
}

function never(): boolean {
  return false;
}
