import type { Timer } from "./timer.ts";

/** A binary heap of timers, with the next one on top. */
export class TimerHeap {
  readonly #timers: Timer[];

  /** @param timers in running order, or in the order of another heap */
  constructor(timers: readonly Timer[] = []) {
    this.#timers = [...timers];
  }

  get size(): number {
    return this.#timers.length;
  }

  get first(): Timer | undefined {
    return this.#timers[0];
  }

  copy(): TimerHeap {
    return new TimerHeap(this.#timers);
  }

  add(timer: Timer): void {
    let index = this.#timers.length;
    while (index > 0) {
      const above = (index - 1) >> 1;
      const parent = this.#timers[above] as Timer;
      if (inOrder(parent, timer) <= 0) break;
      this.#timers[index] = parent;
      index = above;
    }
    this.#timers[index] = timer;
  }

  removeFirst(): void {
    const last = this.#timers.pop();
    if (last === undefined || this.#timers.length === 0) return;
    let index = 0;
    for (;;) {
      const left = 2 * index + 1;
      const below = this.#runsFirst(left + 1, left) ? left + 1 : left;
      const child = this.#timers[below];
      if (child === undefined || inOrder(last, child) <= 0) break;
      this.#timers[index] = child;
      index = below;
    }
    this.#timers[index] = last;
  }

  #runsFirst(index: number, other: number): boolean {
    const [timer, after] = [this.#timers[index], this.#timers[other]];
    return timer !== undefined && after !== undefined && inOrder(timer, after) < 0;
  }
}

/** Compares by due time, then by the order of scheduling. */
export function inOrder(left: Timer, right: Timer): number {
  return left.at - right.at || left.sequence - right.sequence;
}
