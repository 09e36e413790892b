interface Entry {
  readonly due: number;
  readonly happen: () => void;
}

/** What will happen when: at its exact instant (`time.boundaries`), and in the order in which it was noted. */
export class Agenda {
  now: number;
  readonly #entries = new Set<Entry>();

  constructor(now: number) {
    this.now = now;
  }

  /** @returns the function that strikes it out */
  note(due: number, happen: () => void): () => void {
    const entry = { due: Math.max(due, this.now), happen };
    this.#entries.add(entry);
    return () => this.#entries.delete(entry);
  }

  /** When something happens next. */
  get next(): number | undefined {
    return this.#first()?.due;
  }

  advanceTo(instant: number): void {
    for (let first = this.#first(); first !== undefined && first.due <= instant; first = this.#first()) {
      this.#entries.delete(first);
      this.now = first.due;
      first.happen();
    }
    this.now = instant;
  }

  #first(): Entry | undefined {
    return [...this.#entries].toSorted((left, right) => left.due - right.due)[0];
  }
}
