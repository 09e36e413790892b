/** Those who hear of every move of the virtual now, such as a test and the process's own `Date`. */
export class ClockListeners {
  readonly #listeners = new Set<(now: number) => void>();

  /** Returns the function that removes the listener. */
  add(listener: (now: number) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** Tells every listener where the clock stands. One may move it or restore a world, which those after it are told. */
  tell(clock: { readonly now: number }): void {
    for (const listener of this.#listeners) listener(clock.now);
  }
}
