import { CentavoError } from "../base/errors/centavo-error.ts";
import type { Timer } from "./timer.ts";
import { placeAfter } from "./sorted-by-moment.ts";

/**
 * A moment that code outside the world waits for, such as the end of a test's sleep. It belongs to this process: no snapshot, fork or
 * digest contains it.
 */
export interface Alarm {
  /** When it rings, in milliseconds since 1970. */
  readonly at: number;
  /** The moment at which it was set. */
  readonly setAt: number;
  /** The sequence number of the timer that was scheduled just before. Timers scheduled later for the same moment run after this alarm. */
  readonly after: number;
  readonly kind: "sleep" | "timeout" | "timer";
  /** The call that set it, such as `clock.sleep("30 s")`. */
  readonly call: string;
  /** Resolves once what it began has ended, as far as that is awaited. */
  readonly ring: () => void | Promise<void>;
  /**
   * Called instead of `ring` if the world ends first.
   * @param forGood whether no other world follows
   */
  readonly end: (error: CentavoError, forGood: boolean) => void;
}

export class Alarms {
  /** Soonest first. Alarms for the same moment are in the order in which they were set. */
  #alarms: Alarm[] = [];
  #closedBy: string | undefined;

  get all(): readonly Alarm[] {
    return this.#alarms;
  }

  /** Sets an alarm, or ends it at once if the clock has already ended for good. Returns a function that removes it. */
  set(alarm: Alarm): () => void {
    if (this.#closedBy !== undefined) {
      alarm.end(ended(alarm, this.#closedBy), true);
      return () => undefined;
    }
    this.#alarms.splice(placeAfter(this.#alarms, alarm.at), 0, alarm);
    return () => this.#remove(alarm);
  }

  /** Returns the next alarm if it rings before this timer; undefined if the timer comes first. */
  before(timer: Timer | undefined): Alarm | undefined {
    const [first] = this.#alarms;
    if (first === undefined || timer === undefined) return first;
    return first.at < timer.at || (first.at === timer.at && first.after < timer.sequence) ? first : undefined;
  }

  async ring(alarm: Alarm): Promise<void> {
    this.#remove(alarm);
    await alarm.ring();
  }

  /**
   * Ends every alarm, because its world has ended.
   * @param endedBy what ended it, such as `sim.reset()`
   * @param forGood whether no other world follows
   */
  end(endedBy: string, forGood: boolean): void {
    if (forGood) this.#closedBy = endedBy;
    const alarms = this.#alarms;
    this.#alarms = [];
    for (const alarm of alarms) alarm.end(ended(alarm, endedBy), forGood);
  }

  #remove(alarm: Alarm): void {
    const place = this.#alarms.indexOf(alarm);
    if (place !== -1) this.#alarms.splice(place, 1);
  }
}

function ended({ call }: Alarm, endedBy: string): CentavoError {
  return new CentavoError(
    "WORLD_ENDED",
    `${call} waits for a moment of a world that ${endedBy} has ended, so that moment never comes. Await or abort what waits for the clock before the test ends.`,
  );
}
