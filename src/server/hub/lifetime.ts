/** How long the inspector waits for somebody to look once its run has ended, in milliseconds of real time. */
export const LONGEST_WAIT = 600_000;
/** How long it stays at most then, even while a browser has the page open: somebody may have left it. */
export const LONGEST_STAY = 86_400_000;

/** What decides whether an inspector goes on. */
export interface Surroundings {
  /** Whether the process that runs the tests lives on, as in watch mode. */
  readonly isRunning: boolean;
  /** Whether a browser has the page open. */
  readonly isWatched: boolean;
  /** Whether nobody is there to look, as in CI. */
  readonly isCi: boolean;
  /** Whether another run has an inspector that a user would rather look at. */
  readonly isReplaced: boolean;
  /** Real time in milliseconds. */
  readonly now: number;
}

/** Says when the inspector of a run ends, so that no process lingers. */
export class Lifetime {
  #lastUse: number;
  #runEnded: number;

  /** @param now real time in milliseconds */
  constructor(now: number) {
    this.#lastUse = now;
    this.#runEnded = now;
  }

  isOver({ isRunning, isWatched, isCi, isReplaced, now }: Surroundings): boolean {
    if (isRunning) this.#runEnded = now;
    if (isRunning || isWatched) this.#lastUse = now;
    if (isRunning) return false;
    if (isCi || (isReplaced && !isWatched)) return true;
    return now - this.#lastUse >= LONGEST_WAIT || now - this.#runEnded >= LONGEST_STAY;
  }
}
