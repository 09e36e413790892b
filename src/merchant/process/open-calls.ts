/** A call to the merchant's database that has not been answered. */
export interface OpenCall {
  /** How many functions that it was given are running, such as the one that a transaction calls. */
  callbacks: number;
}

/** Knows which calls to the merchant's database are open. */
export class OpenCalls {
  /** Each open call, and the connection on which it was made. */
  readonly #open = new Map<OpenCall, unknown>();
  #answers = 0;
  #ended = Promise.withResolvers<void>();

  begin(call: OpenCall, connection: unknown): void {
    this.#open.set(call, connection);
  }

  end(call: OpenCall): void {
    this.#open.delete(call);
    this.#answers += 1;
    this.#ended.resolve();
    this.#ended = Promise.withResolvers();
  }

  /** Forgets the calls of a connection that has ended. Those that waited in its driver are never answered. */
  forget(connection: unknown): void {
    for (const [call, on] of this.#open) if (on === connection) this.#open.delete(call);
  }

  /** How many calls have ended. */
  get answers(): number {
    return this.#answers;
  }

  /** How many calls the database works on. A call whose callback runs waits for the program instead. */
  get atWork(): number {
    let count = 0;
    for (const { callbacks } of this.#open.keys()) if (callbacks === 0) count += 1;
    return count;
  }

  /** Resolves when the next call ends. */
  get ended(): Promise<void> {
    return this.#ended.promise;
  }
}
