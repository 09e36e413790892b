import type { Timer } from "./timers.ts";

/**
 * Timers by due time and sequence, the first on top: a binary heap. What decides their order stands beside them in arrays of plain
 * numbers, because to look into a thousand timers that lie all over memory costs more than all else that is done with them.
 */
export class TimerHeap {
  readonly #timers: Timer[] = [];
  readonly #times: number[] = [];
  readonly #sequences: number[] = [];

  /** @param sorted in the order in which they run */
  constructor(sorted: readonly Timer[] = []) {
    for (const timer of sorted) {
      this.#timers.push(timer);
      this.#times.push(timer.at);
      this.#sequences.push(timer.sequence);
    }
  }

  get size(): number {
    return this.#timers.length;
  }

  get first(): Timer | undefined {
    return this.#timers[0];
  }

  add(timer: Timer): void {
    const { at, sequence } = timer;
    let index = this.#timers.length;
    while (index > 0) {
      const parent = (index - 1) >> 1;
      if (!this.#isLater(parent, at, sequence)) break;
      this.#move(parent, index);
      index = parent;
    }
    this.#put(index, timer, at, sequence);
  }

  removeFirst(): void {
    const timer = this.#timers.pop();
    const at = this.#times.pop() as number;
    const sequence = this.#sequences.pop() as number;
    const { length } = this.#timers;
    if (timer === undefined || length === 0) return;
    let index = 0;
    for (;;) {
      let child = 2 * index + 1;
      if (child >= length) break;
      const right = child + 1;
      if (right < length && this.#isLater(child, this.#times[right] as number, this.#sequences[right] as number))
        child = right;
      if (this.#isLater(child, at, sequence)) break;
      this.#move(child, index);
      index = child;
    }
    this.#put(index, timer, at, sequence);
  }

  /** Whether the timer at an index comes after one that is due then. */
  #isLater(index: number, at: number, sequence: number): boolean {
    const own = this.#times[index] as number;
    return own > at || (own === at && (this.#sequences[index] as number) > sequence);
  }

  #move(from: number, to: number): void {
    this.#put(to, this.#timers[from] as Timer, this.#times[from] as number, this.#sequences[from] as number);
  }

  #put(index: number, timer: Timer, at: number, sequence: number): void {
    this.#timers[index] = timer;
    this.#times[index] = at;
    this.#sequences[index] = sequence;
  }
}
