import type { Timer } from "./timer.ts";

/**
 * A binary heap of timers, ordered by due time and sequence. Both are kept in arrays of plain numbers: following a thousand pointers
 * into memory costs more than everything else that the heap does.
 */
export class TimerHeap {
  readonly #timers: Timer[] = [];
  readonly #times: number[] = [];
  readonly #sequences: number[] = [];

  /** @param sorted timers in the order in which they run */
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

  /** Returns true when the timer at an index runs after one with this due time and sequence. */
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
