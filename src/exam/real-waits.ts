import { endsWithin, realTime } from "../kit/base/runtime/real-time.ts";

/** How long a wait may last once the budget is spent, in milliseconds. */
const GRACE = 2000;
/**
 * In how many looks at least a wait is found too long. A machine that was suspended, or so busy that nothing ran, has not waited: the time
 * between two looks counts as one part at most.
 */
const LOOKS = 10;

/** The end of a wait in real time. It says nothing of the merchant, whose database may be slow on a busy machine. */
export class WaitedTooLong extends Error {
  override readonly name = "WaitedTooLong";
}

/** Limits the waits for what happens in real time, such as the work of a database. */
export class RealWaits {
  readonly #longest: number;
  #endsAt = Infinity;

  /** @param longest how long one wait may last, in milliseconds */
  constructor(longest: number) {
    this.#longest = longest;
  }

  /** @param budget how long the search lasts from now on, in milliseconds */
  begin(budget: number): void {
    this.#endsAt = realTime() + budget + GRACE;
  }

  /**
   * Begins a wait of many looks.
   * @returns a function to call at each look: it returns how long the wait was allowed to last, in milliseconds, once it has lasted longer
   */
  watch(): () => number | undefined {
    const longest = this.#longestNow;
    let waited = 0;
    let before = realTime();
    return () => {
      const now = realTime();
      waited += Math.min(now - before, longest / LOOKS);
      before = now;
      return waited >= longest ? longest : undefined;
    };
  }

  /** How long a wait that begins now may last, in milliseconds. */
  get #longestNow(): number {
    return Math.max(0, Math.min(this.#longest, this.#endsAt - realTime()));
  }

  /**
   * Waits for work.
   * @param what the work, as a sentence names it
   * @throws {WaitedTooLong} and whatever the work rejects with
   */
  async within<Result>(what: string, work: () => Result | Promise<Result>): Promise<Result> {
    const longest = this.#longestNow;
    const working = (async () => work())();
    for (let look = 0; look < LOOKS; look += 1) if (await endsWithin(working, longest / LOOKS)) return working;
    throw this.tooLong(what, longest);
  }

  /** @param waited in milliseconds */
  tooLong(what: string, waited: number): WaitedTooLong {
    return new WaitedTooLong(
      waited < this.#longest
        ? `The budget was spent while ${what} took place.`
        : `${what.charAt(0).toUpperCase()}${what.slice(1)} did not end within ${inSeconds(waited)} of real time. If it is only slow, raise the option longestWait.`,
    );
  }
}

function inSeconds(milliseconds: number): string {
  return milliseconds === 1000 ? "1 second" : `${milliseconds / 1000} seconds`;
}
