import type { Engine } from "./engine.ts";
import type { OverlappingWork } from "./timer-handler.ts";
import type { Timer } from "./timer.ts";

/** The most work in flight at once, so that a hundred thousand deliveries at one moment do not all begin together. */
const MOST_AT_ONCE = 64;

/**
 * The overlapping work of one moment. It begins in the order of its timers, once they have all run. When all of it has ended, its results
 * are recorded in the same order, so the run does not depend on which work ends first.
 */
export class OverlappingFlights {
  readonly #engine: Engine;
  #waiting: { readonly timer: Timer; readonly work: OverlappingWork }[] = [];
  #changes = 0;

  constructor(engine: Engine) {
    this.#engine = engine;
  }

  /** Records that a timer has run, and keeps its work until the end of the moment. */
  timerRan(timer: Timer, work: OverlappingWork | void): void {
    if (work !== undefined) {
      this.#waiting.push({ timer, work });
      this.#engine.inFlightBegins(timer);
    }
    this.#changes = this.#engine.changes;
  }

  /**
   * Whether the waiting work must begin before the next timer runs.
   * @param next the next timer; undefined when no timer is to run now
   */
  mustBegin(next: Timer | undefined): boolean {
    if (this.#waiting.length === 0) return false;
    return (
      next === undefined ||
      next.at > this.#engine.now ||
      this.#waiting.length >= MOST_AT_ONCE ||
      // Code of the test, such as a clock listener, acted between two timers. A replay must repeat the act at the same place.
      this.#changes !== this.#engine.changes
    );
  }

  /** Begins the waiting work, waits until all of it has ended, and returns what failed. */
  async land(): Promise<{ readonly timer: Timer; readonly error: unknown }[]> {
    const engine = this.#engine;
    const { world } = engine;
    const flights = this.#waiting;
    this.#waiting = [];
    const ends = await Promise.allSettled(flights.map(({ work }) => work.begin()));
    const failures: { readonly timer: Timer; readonly error: unknown }[] = [];
    for (const [index, { timer }] of flights.entries()) {
      const end = ends[index] as PromiseSettledResult<() => void>;
      try {
        if (end.status === "rejected") throw end.reason;
        end.value();
      } catch (error) {
        failures.push({ timer, error });
      }
      if (world === engine.world) engine.inFlightEnds(timer);
    }
    return failures;
  }
}
