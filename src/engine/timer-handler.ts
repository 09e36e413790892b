import { CentavoError } from "../errors/centavo-error.ts";
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

/** Returns what is wrong with a timer of a restored world, beginning with the field. `now` is that world's, in milliseconds since 1970. */
export type TimerCheck = (timer: Timer, now: number) => string | undefined;

/** The handlers of a world's timers, by owner. */
export class TimerHandlers {
  readonly #handlers = new Map<string, { readonly handle: TimerHandler; readonly problemOf: TimerCheck | undefined }>();

  /** @throws {CentavoError} `MACHINE_DEFECT` when the owner has a handler */
  add(owner: string, handle: TimerHandler, problemOf?: TimerCheck): void {
    if (this.#handlers.has(owner)) throw defect(`Two parts run the timers of "${owner}". Give each its own owner.`);
    this.#handlers.set(owner, { handle, problemOf });
  }

  /** @throws {CentavoError} `MACHINE_DEFECT` when the owner has no handler */
  run(timer: Timer): InFlightWork | void {
    const owner = this.#handlers.get(timer.owner);
    if (owner === undefined) throw defect(`No handler runs the timers of "${timer.owner}"; register one with onTimer.`);
    return owner.handle(timer);
  }

  readonly problemOf: TimerCheck = (timer, now) => {
    const owner = this.#handlers.get(timer.owner);
    if (owner === undefined) return `owner is "${timer.owner}", and no part of this world has timers of that name`;
    return owner.problemOf?.(timer, now);
  };
}

/** The error for a mistake in a service or a machine, which a user of the service cannot make. */
export function defect(message: string): CentavoError {
  return new CentavoError("MACHINE_DEFECT", message);
}
