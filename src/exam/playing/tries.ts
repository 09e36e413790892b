const SECOND = 1000;

/** How often a merchant may repeat a call without a pause, each time after it got no answer for more than a second. */
const MOST_TRIES = 50;

interface Row {
  tries: number;
  /** When the last try ended, in milliseconds since 1970. */
  endedAt: number;
}

/** Counts how often the same work repeats a call that gets no answer, without a pause between the tries. */
export class Tries {
  readonly #rows = new WeakMap<object, Map<string, Row>>();

  /**
   * Notes a try that got no answer.
   * @param cause what made the merchant call
   * @param from when the try began, in milliseconds since 1970
   * @param to when the merchant gave it up
   * @returns whether there were too many in a row
   */
  inVain(cause: object, call: string, from: number, to: number): boolean {
    const rows = this.#rows.get(cause) ?? new Map<string, Row>();
    this.#rows.set(cause, rows);
    const row = rows.get(call);
    const isRepeated = row !== undefined && from - row.endedAt < SECOND && to - from >= SECOND;
    const tries = isRepeated ? row.tries + 1 : 1;
    rows.set(call, { tries, endedAt: to });
    return tries > MOST_TRIES;
  }
}
