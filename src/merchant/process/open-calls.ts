/** A call to the merchant's database that has not been answered. */
export interface OpenCall {
  /** How many functions that it was given are running, such as the one that a transaction calls. */
  callbacks: number;
}

/** Knows which calls to the merchant's database are open. */
export class OpenCalls {
  readonly #open = new Set<OpenCall>();
  #answers = 0;
  #ended = Promise.withResolvers<void>();

  begin(call: OpenCall): void {
    this.#open.add(call);
  }

  end(call: OpenCall): void {
    this.#open.delete(call);
    this.#answers += 1;
    this.#ended.resolve();
    this.#ended = Promise.withResolvers();
  }

  /** How many calls have ended. */
  get answers(): number {
    return this.#answers;
  }

  /** How many calls the database works on. A call whose callback runs waits for the program instead. */
  get atWork(): number {
    let count = 0;
    for (const { callbacks } of this.#open) if (callbacks === 0) count += 1;
    return count;
  }

  /** Resolves when the next call ends. */
  get ended(): Promise<void> {
    return this.#ended.promise;
  }
}
