import { CentavoError } from "../base/errors/centavo-error.ts";
import { keyOf } from "./timer.ts";
import type { Timer } from "./timer.ts";

/** Work in flight that overlaps with other such work of the same moment. */
export interface OverlappingWork {
  /** Begins it. Resolves with what is left to do, such as recording an answer, once everything that was begun with it has ended too. */
  readonly begin: () => Promise<() => void>;
}

/**
 * Work that leaves the process, such as a delivery. It starts after the unit that asked for it has committed; the clock awaits it. A
 * function is awaited before the next timer runs.
 */
export type InFlightWork = (() => Promise<void>) | OverlappingWork;

/** Runs the due timers of one owner. May return work to do after the timer's unit has committed. */
export type TimerHandler = (timer: Timer) => InFlightWork | void;

/** What an owner adds to its timers, besides how to run them. */
export interface TimerTraits {
  /** Says what will happen, as a sentence about the timer's subject; by default, the timer's own names. */
  readonly inWords?: (timer: Timer) => string;
}

/** The handlers of a world's timers, by owner. */
export class TimerHandlers {
  readonly #handlers = new Map<string, TimerTraits & { readonly handle: TimerHandler }>();

  /** @throws {CentavoError} `MACHINE_DEFECT` when the owner has a handler */
  add(owner: string, handle: TimerHandler, traits: TimerTraits = {}): void {
    if (this.#handlers.has(owner)) throw defect(`Two parts run the timers of "${owner}". Give each its own owner.`);
    this.#handlers.set(owner, { ...traits, handle });
  }

  /** Says what a timer will do. */
  inWords(timer: Timer): string {
    return this.#handlers.get(timer.owner)?.inWords?.(timer) ?? keyOf(timer).replaceAll("/", " ");
  }

  /** @throws {CentavoError} `MACHINE_DEFECT` when the owner has no handler */
  run(timer: Timer): InFlightWork | void {
    const owner = this.#handlers.get(timer.owner);
    if (owner === undefined) throw defect(`No handler runs the timers of "${timer.owner}"; register one with onTimer.`);
    return owner.handle(timer);
  }
}

/** The error for a mistake in a service or a machine, which a user of the service cannot make. */
export function defect(message: string): CentavoError {
  return new CentavoError("MACHINE_DEFECT", message);
}
