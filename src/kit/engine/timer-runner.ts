import { CentavoError } from "../base/errors/centavo-error.ts";
import { messageOf } from "../base/errors/thrown-values.ts";
import { Alarms } from "./alarms.ts";
import type { Alarm } from "./alarms.ts";
import type { Engine } from "./engine.ts";
import { OverlappingFlights } from "./overlapping-flights.ts";
import type { InFlightWork } from "./timer-handler.ts";
import { keyOf } from "./timer.ts";
import type { Timer } from "./timer.ts";
import { toTimestamp } from "./timestamp.ts";

/** Lets the event loop turn once, so that the process serves its sockets and timers during a long advance. */
export type YieldToEventLoop = () => Promise<void>;

/** How a run ended: at its target, when its condition was met, or because its world was replaced. */
export type RunEnd = "reached" | "met" | "replaced";

/** How far a run has come. */
export interface Progress {
  /** Where the clock stands and where it is going: ISO 8601, UTC. */
  readonly now: string;
  readonly until: string;
  /** How many timers have run since the call began. */
  readonly timers: number;
}

const IN_FLIGHT_BETWEEN_YIELDS = 64;
const TIMERS_BETWEEN_REPORTS = 1000;
const MOST_CONSEQUENCES_IN_ONE_MOMENT = 5000;
const MORE_FOR_EACH_CAUSE = 100;

/**
 * Runs due timers, each at its own time, and awaits the work of each before the next. Work that overlaps is begun once every timer of its
 * moment has run, and time waits for all of it.
 */
export class TimerRunner {
  readonly #engine: Engine;
  readonly #yield: YieldToEventLoop;
  readonly #mostConsequences: number;
  readonly #alarms: Alarms;
  readonly #afterAlarm: YieldToEventLoop;
  #awaited = 0;

  /**
   * @param options.mostConsequences how many timers may follow from one another within one moment; more count as a loop
   * @param options.alarms what waits for moments of this clock besides timers
   * @param options.afterAlarm lets the code that an alarm has woken act before time goes on
   */
  constructor(
    engine: Engine,
    yieldToEventLoop: YieldToEventLoop,
    {
      mostConsequences = MOST_CONSEQUENCES_IN_ONE_MOMENT,
      alarms = new Alarms(),
      afterAlarm = yieldToEventLoop,
    }: { mostConsequences?: number; alarms?: Alarms; afterAlarm?: YieldToEventLoop } = {},
  ) {
    this.#engine = engine;
    this.#yield = yieldToEventLoop;
    this.#mostConsequences = mostConsequences;
    this.#alarms = alarms;
    this.#afterAlarm = afterAlarm;
  }

  /**
   * Runs everything due up to and including `end`, and moves the clock there.
   * @param until called before every timer; when it returns true, the run ends where the clock stands
   * @param onProgress called with the progress every 1000 timers and at the end
   */
  async run(end: number, until: () => boolean, onProgress?: (progress: Progress) => void): Promise<RunEnd> {
    const engine = this.#engine;
    const { world } = engine;
    let causes = 0;
    let consequences = 0;
    let timers = 0;
    let isMet = false;
    const flights = new OverlappingFlights(engine);
    try {
      for (;;) {
        // A condition, a listener and a report are the test's own code, which may run commands or replace the world.
        isMet = until();
        if (world !== engine.world) return "replaced";
        const timer = isMet ? undefined : engine.timers.next();
        const alarm = isMet ? undefined : this.#alarms.before(timer);
        if (flights.mustBegin(alarm === undefined ? timer : undefined)) {
          await this.#land(flights, world);
          if (world !== engine.world) return "replaced";
          if (isMet) break;
          continue;
        }
        const next = alarm ?? timer;
        if (next === undefined || next.at > end) break;
        if (next.at > engine.now) {
          causes = 0;
          consequences = 0;
        }
        if (isConsequence(next)) consequences += 1;
        else causes += 1;
        if (consequences > this.#mostConsequences + causes * MORE_FOR_EACH_CAUSE)
          throw this.#runAway(next, consequences);
        engine.moveTo(Math.max(engine.now, next.at));
        if (world !== engine.world) return "replaced";
        if (engine.timers.next() !== timer || this.#alarms.before(timer) !== alarm) continue;
        if (alarm !== undefined) {
          // What the woken code does is not the consequence of a timer.
          engine.timersRest();
          this.#alarms.ring(alarm);
          await this.#afterAlarm();
          if (world !== engine.world) return "replaced";
          continue;
        }
        if (timer === undefined || flights.mustBegin(timer)) continue;
        const work = this.#fire(timer);
        if (typeof work === "function") await this.#await(timer, work, world);
        else flights.timerRan(timer, work);
        if (world !== engine.world) return "replaced";
        timers += 1;
        if (onProgress !== undefined && timers % TIMERS_BETWEEN_REPORTS === 0) onProgress(this.#progress(end, timers));
      }
      if (!isMet) engine.moveTo(end);
      if (world === engine.world) onProgress?.(this.#progress(end, timers));
      if (world !== engine.world) return "replaced";
      return isMet ? "met" : "reached";
    } catch (error) {
      // A later failure must not lose the work of timers that have run.
      if (world === engine.world) await this.#land(flights, world).catch(() => undefined);
      throw error;
    } finally {
      if (world === engine.world) engine.timersRest();
    }
  }

  #fire(timer: Timer): InFlightWork | void {
    try {
      return this.#engine.fire(timer);
    } catch (error) {
      this.#engine.abandon(timer, error);
      throw failed(timer, "failed, was undone and was taken off the clock", error);
    }
  }

  async #await(timer: Timer, work: () => Promise<void>, world: number): Promise<void> {
    const engine = this.#engine;
    engine.inFlightBegins(timer);
    try {
      await work();
    } catch (error) {
      // Its world was replaced, so nothing depends on it any more.
      if (world !== engine.world) return;
      throw this.#flightFailed(timer, error);
    } finally {
      if (world === engine.world) engine.inFlightEnds(timer);
    }
    this.#awaited += 1;
    if (this.#awaited % IN_FLIGHT_BETWEEN_YIELDS === 0) await this.#yield();
  }

  /** Begins the work that overlaps and awaits all of it. */
  async #land(flights: OverlappingFlights, world: number): Promise<void> {
    const failures = await flights.land();
    if (world !== this.#engine.world) return;
    const [first] = failures.map(({ timer, error }) => this.#flightFailed(timer, error));
    if (first !== undefined) throw first;
    await this.#yield();
  }

  #flightFailed(timer: Timer, error: unknown): CentavoError {
    const engine = this.#engine;
    engine.note("failure", { timer: keyOf(timer), message: engine.journal.redaction.messageOf(error) });
    return failed(timer, "did its part, but its work in flight failed", error);
  }

  #progress(end: number, timers: number): Progress {
    return { now: toTimestamp(this.#engine.now), until: toTimestamp(end), timers };
  }

  #runAway(next: Timer | Alarm, count: number): CentavoError {
    const now = toTimestamp(this.#engine.now);
    const key = "call" in next ? next.call : keyOf(next);
    const named = "call" in next ? key : `${key} (${next.input.type}), number ${next.depth} in its chain`;
    const message =
      `${count} timers followed from one another at ${now} without letting time move on; the next is ${named}. ` +
      "Something answers itself in a loop, such as a webhook handler that makes a payment for every event. If so many are meant, settle() again goes on from here.";
    // The limit depends on the calls that moved the clock, which are not part of the world.
    this.#engine.noteInput("failure", { timer: key, message });
    return new CentavoError("CLOCK_LIMIT", message);
  }
}

/** A sleep of no time counts as the consequence of what woke its caller. */
function isConsequence(next: Timer | Alarm): boolean {
  return "call" in next ? next.at === next.setAt : next.depth > 0;
}

function failed(timer: Timer, what: string, cause: unknown): CentavoError {
  const { input, at } = timer;
  return new CentavoError(
    "CLOCK_TIMER_FAILED",
    `The timer ${keyOf(timer)} (${input.type}), due at ${toTimestamp(at)}, ${what}: ${messageOf(cause).replace(/\.$/, "")}. The clock stands at that moment, and the next call goes on from there.`,
    { cause },
  );
}
