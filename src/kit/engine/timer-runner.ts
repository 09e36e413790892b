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

/** What the journal says of timers that do not let time move on. */
export const RAN_AWAY = "timers caused one another";

/** Lets the event loop turn once, so that the process's sockets and timers still work during a long advance. */
export type YieldToEventLoop = () => Promise<void>;

/** Why a run ended: it reached its target, its condition became true, or its world was replaced. */
export type RunEnd = "reached" | "met" | "replaced";

/** The progress of a run. */
export interface Progress {
  /** The clock's time and its target: ISO 8601, UTC. */
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
 * Runs due timers one after another, each at its own time. Work that a timer leaves in flight is awaited before the next timer runs. Work
 * that may overlap begins after the last timer of its moment, and time waits until all of it has ended.
 */
export class TimerRunner {
  readonly #engine: Engine;
  readonly #yield: YieldToEventLoop;
  readonly #mostConsequences: number;
  readonly #alarms: Alarms;
  readonly #afterAlarm: YieldToEventLoop;
  #awaited = 0;

  /**
   * @param options.mostConsequences how many timers may cause one another within one moment; more count as a loop
   * @param options.alarms what else waits for moments of this clock
   * @param options.afterAlarm lets the code that an alarm woke act before time goes on
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
   * Runs everything that is due by `end`, and moves the clock there.
   * @param until called before every timer; once it returns true, the run ends where the clock stands
   * @param onProgress called with the progress every 1000 timers and at the end
   */
  async run(end: number, until: () => boolean, onProgress?: (progress: Progress) => void): Promise<RunEnd> {
    const engine = this.#engine;
    const { world } = engine;
    const flights = new OverlappingFlights(engine);
    const count = { causes: 0, consequences: 0 };
    let timers = 0;
    // Conditions, clock listeners and progress callbacks are code of the test, which may replace the world.
    const isReplaced = (): boolean => world !== engine.world;
    const report = (): void => onProgress?.({ now: toTimestamp(engine.now), until: toTimestamp(end), timers });
    try {
      for (;;) {
        const isMet = until();
        if (isReplaced()) return "replaced";
        const next = isMet ? undefined : this.#next(end);
        if (flights.mustBegin(next === undefined || isAlarm(next) ? undefined : next)) {
          await this.#land(flights, world);
          if (isReplaced()) return "replaced";
          if (!isMet) continue;
        }
        if (next === undefined) {
          if (!isMet) engine.moveTo(end);
          if (!isReplaced()) report();
          if (isReplaced()) return "replaced";
          return isMet ? "met" : "reached";
        }
        this.#count(next, count);
        engine.moveTo(Math.max(engine.now, next.at));
        if (isReplaced()) return "replaced";
        // A clock listener may have changed what comes next.
        if (this.#next(end) !== next) continue;
        if (isAlarm(next)) {
          // What the woken code schedules is not the consequence of a timer.
          engine.timersRest();
          await this.#alarms.ring(next);
          await this.#afterAlarm();
        } else {
          if (flights.mustBegin(next)) continue;
          const work = this.#fire(next);
          if (typeof work === "function") await this.#await(next, work, world);
          else flights.timerRan(next, work);
          if (isReplaced()) return "replaced";
          timers += 1;
          if (timers % TIMERS_BETWEEN_REPORTS === 0) report();
        }
        if (isReplaced()) return "replaced";
      }
    } catch (error) {
      // The timers that ran before the failure still have work in flight.
      if (!isReplaced()) await this.#land(flights, world).catch(() => undefined);
      throw error;
    } finally {
      if (!isReplaced()) engine.timersRest();
    }
  }

  /** Returns the timer or alarm that comes next, if it is due by `end`. */
  #next(end: number): Timer | Alarm | undefined {
    const timer = this.#engine.timers.next();
    const next = this.#alarms.before(timer) ?? timer;
    return next !== undefined && next.at <= end ? next : undefined;
  }

  /** @throws {CentavoError} `CLOCK_LIMIT` when too many timers of one moment caused one another */
  #count(next: Timer | Alarm, count: { causes: number; consequences: number }): void {
    if (next.at > this.#engine.now) {
      count.causes = 0;
      count.consequences = 0;
    }
    if (isConsequence(next)) count.consequences += 1;
    else count.causes += 1;
    if (count.consequences > this.#mostConsequences + count.causes * MORE_FOR_EACH_CAUSE)
      throw this.#runAway(next, count.consequences);
  }

  #fire(timer: Timer): InFlightWork | void {
    try {
      return this.#engine.fire(timer);
    } catch (error) {
      this.#engine.abandon(timer, error);
      throw failed(timer, "failed, and its changes were undone", error);
    }
  }

  async #await(timer: Timer, work: () => Promise<void>, world: number): Promise<void> {
    const engine = this.#engine;
    engine.inFlightBegins(timer);
    try {
      await work();
    } catch (error) {
      // Work of a replaced world no longer matters.
      if (world !== engine.world) return;
      throw this.#flightFailed(timer, error);
    } finally {
      if (world === engine.world) engine.inFlightEnds(timer);
    }
    this.#awaited += 1;
    if (this.#awaited % IN_FLIGHT_BETWEEN_YIELDS === 0) await this.#yield();
  }

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
    return failed(timer, "ran, but its work in flight failed", error);
  }

  #runAway(next: Timer | Alarm, consequences: number): CentavoError {
    const now = toTimestamp(this.#engine.now);
    const key = isAlarm(next) ? next.call : keyOf(next);
    const named = isAlarm(next) ? key : `${key} (${next.input.type}), number ${next.depth} in its chain`;
    const message =
      `${consequences} ${RAN_AWAY} at ${now}, and time did not move on. The next is ${named}. ` +
      "Something probably triggers itself in a loop, such as a webhook handler that makes a payment for every event. If you really want this many, call settle() again to go on.";
    // The limit depends on the calls that moved the clock, which are not part of the world.
    this.#engine.noteInput("failure", { timer: key, message });
    return new CentavoError("CLOCK_LIMIT", message);
  }
}

function isAlarm(next: Timer | Alarm): next is Alarm {
  return "call" in next;
}

/** A sleep of zero length is a consequence of whatever woke its caller. */
function isConsequence(next: Timer | Alarm): boolean {
  return isAlarm(next) ? next.at === next.setAt : next.depth > 0;
}

function failed(timer: Timer, what: string, cause: unknown): CentavoError {
  const { input, at } = timer;
  return new CentavoError(
    "CLOCK_TIMER_FAILED",
    `The timer ${keyOf(timer)} (${input.type}), due at ${toTimestamp(at)}, ${what}: ${messageOf(cause).replace(/\.$/, "")}. The timer is off the clock, which stands at that moment; the next call goes on from there.`,
    { cause },
  );
}
