import type { Timer } from "./timer.ts";

/** Work that leaves the process, such as a delivery. It starts after the unit that asked for it has committed; the clock awaits it. */
export type InFlightWork = () => Promise<void>;

/** Runs the due timers of one owner. May return work to do after the timer's unit has committed. */
export type TimerHandler = (timer: Timer) => InFlightWork | void;
