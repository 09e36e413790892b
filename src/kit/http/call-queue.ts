/** How many turns of the event loop a call has to read its body before later calls are answered first. */
const TURNS_TO_READ = 100;

/** A call between its arrival and its answer. */
export interface PlaceInQueue {
  /** Answers the call; undefined while its body is being read. */
  answer: (() => void) | undefined;
}

/**
 * Answers calls in the order of their arrival, even if their bodies arrive in another order. A slow or endless body holds up no other call:
 * its own call is answered once the body is there.
 */
export class CallQueue {
  readonly #yield: () => Promise<void>;
  readonly #untilRest: () => Promise<void> | undefined;
  readonly #places = new Set<PlaceInQueue>();
  #isWaiting = false;

  /** @param untilRest returns the promise to await before the next call is answered, if there is one */
  constructor(yieldToEventLoop: () => Promise<void>, untilRest: () => Promise<void> | undefined) {
    this.#yield = yieldToEventLoop;
    this.#untilRest = untilRest;
  }

  enter(): PlaceInQueue {
    const place = { answer: undefined };
    this.#places.add(place);
    return place;
  }

  /** Lets later calls go first until a promise resolves. Returns the new place. */
  async stepAside(place: PlaceInQueue, until: Promise<void>): Promise<PlaceInQueue> {
    this.leave(place);
    await until;
    return this.enter();
  }

  leave(place: PlaceInQueue): void {
    if (this.#places.delete(place)) this.#goOn();
  }

  /**
   * Answers a call in its turn, after its body was read.
   * @param answer is called in its turn, and does not wait for anything before it has answered
   * @throws the signal's reason when the caller gives up before
   */
  inTurn<Answer>(place: PlaceInQueue, signal: AbortSignal, answer: () => Answer): Answer | Promise<Answer> {
    const [first] = this.#places;
    if (first === place && this.#untilRest() === undefined) {
      try {
        return answer();
      } finally {
        this.leave(place);
      }
    }
    return new Promise((resolve, reject) => {
      const giveUp = (): void => {
        reject(signal.reason);
        this.leave(place);
      };
      place.answer = () => {
        signal.removeEventListener("abort", giveUp);
        try {
          resolve(answer());
        } catch (error) {
          reject(error);
        }
      };
      signal.addEventListener("abort", giveUp, { once: true });
      // It may have lost its place to later calls while its body was read.
      this.#places.add(place);
      if (signal.aborted) giveUp();
      else this.#goOn();
    });
  }

  #goOn(): void {
    for (const place of this.#places) {
      if (place.answer === undefined) {
        if (this.#someAreReady) void this.#wait(this.#whileReading(place));
        return;
      }
      const rest = this.#untilRest();
      if (rest !== undefined) {
        void this.#wait(rest);
        return;
      }
      this.#places.delete(place);
      place.answer();
    }
  }

  get #someAreReady(): boolean {
    for (const { answer } of this.#places) if (answer !== undefined) return true;
    return false;
  }

  async #wait(until: Promise<void>): Promise<void> {
    if (this.#isWaiting) return;
    this.#isWaiting = true;
    await until;
    this.#isWaiting = false;
    this.#goOn();
  }

  /** Waits while the first call reads its body, and lets the calls behind it pass if that takes too long. */
  async #whileReading(first: PlaceInQueue): Promise<void> {
    for (let turn = 0; turn < TURNS_TO_READ; turn += 1) {
      if (first.answer !== undefined || !this.#places.has(first)) return;
      await this.#yield();
    }
    for (const place of this.#places) {
      if (place.answer !== undefined) return;
      this.#places.delete(place);
    }
  }
}
