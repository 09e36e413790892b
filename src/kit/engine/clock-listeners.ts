/** The listeners for moves of the clock, such as a test's own and the one that drives the process's `Date`. */
export class ClockListeners {
  readonly #listeners = new Set<(now: number) => void>();

  /** Returns the function that removes the listener. */
  add(listener: (now: number) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /**
   * Calls every listener with the virtual now. If a listener moves the clock or restores a world, the listeners after it get the new time.
   */
  tell(clock: { readonly now: number }): void {
    for (const listener of this.#listeners) listener(clock.now);
  }
}
