import { CentavoError } from "../base/errors/centavo-error.ts";
import { keyOf } from "./timer.ts";
import type { Timer } from "./timer.ts";

/** Work in flight that may overlap with other work of the same moment. */
export interface OverlappingWork {
  /** Begins the work. Once all work of its group has ended, resolves with what is left to do, such as recording an answer. */
  readonly begin: () => Promise<() => void>;
}

/**
 * Work that leaves the process, such as a delivery. It starts after its unit has committed, and the clock waits for it. A plain function is
 * awaited before the next timer runs.
 */
export type InFlightWork = (() => Promise<void>) | OverlappingWork;

/** Runs the due timers of one owner. May return work to do after the timer's unit has committed. */
export type TimerHandler = (timer: Timer) => InFlightWork | void;

/** What else an owner declares about its timers. */
export interface TimerTraits {
  /** Describes what will happen, as a sentence about the timer's subject; by default, the timer's own names. */
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

/** The error for a mistake in a service or machine, which its users cannot make. */
export function defect(message: string): CentavoError {
  return new CentavoError("MACHINE_DEFECT", message);
}
