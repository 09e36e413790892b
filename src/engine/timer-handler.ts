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
