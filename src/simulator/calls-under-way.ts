/** How many turns of the event loop without a call count as rest: a client takes a few between its answer and its next call. */
const QUIET_TURNS = 3;
/** A call may wait for something that only the clock brings. */
const MOST_TURNS = 1000;

/** The calls to a service that have no answer yet. */
export class CallsUnderWay {
  readonly #turn: () => Promise<void>;
  #count = 0;

  /** @param turn lets the event loop turn once */
  constructor(turn: () => Promise<void>) {
    this.#turn = turn;
  }

  async count<Answer>(call: Promise<Answer>): Promise<Answer> {
    this.#count += 1;
    try {
      return await call;
    } finally {
      this.#count -= 1;
    }
  }

  /**
   * Resolves when no call has been under way for a few turns of the event loop.
   * @param held returns how many calls only the clock can answer
   */
  async untilRest(held: () => number): Promise<void> {
    let quiet = 0;
    for (let turns = 0; quiet < QUIET_TURNS && turns < MOST_TURNS; turns += 1) {
      await this.#turn();
      quiet = this.#count > held() ? 0 : quiet + 1;
    }
  }
}
