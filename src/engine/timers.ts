import type { UndoLog } from "./undo-log.ts";

/** Something that will happen: plain data on the clock, never a running `setTimeout`. */
export interface Timer {
  /** Names the timer; scheduling the same key again replaces it. */
  readonly key: string;
  /** When it is due, in milliseconds since 1970-01-01T00:00:00Z. */
  readonly at: number;
  /** The order of scheduling, which decides between timers due at the same moment. */
  readonly sequence: number;
  /** How many timers of this very moment led to this one; a chain that never lets time move on is stopped by it. */
  readonly depth: number;
  /** Who runs it: a lifecycle's name, or another part that registered itself with the engine. */
  readonly owner: string;
  /** What it concerns, usually a row's id. */
  readonly subject: string;
  readonly input: Readonly<{ type: string }>;
}

/** All timers of a world: a binary heap by due time and sequence, with cancelled entries left in place until they surface. */
export class Timers {
  readonly #log: UndoLog;
  #byKey = new Map<string, Timer>();
  #heap: Timer[] = [];
  #sequence = 0;

  constructor(log: UndoLog) {
    this.#log = log;
  }

  get size(): number {
    return this.#byKey.size;
  }

  schedule(timer: Omit<Timer, "sequence">): void {
    const { key } = timer;
    const previous = this.#byKey.get(key);
    const sequence = this.#sequence;
    this.#log.record(() => {
      this.#sequence = sequence;
      if (previous === undefined) this.#byKey.delete(key);
      else this.#revive(previous);
    });
    this.#sequence = sequence + 1;
    const scheduled: Timer = { ...timer, sequence: this.#sequence };
    this.#byKey.set(key, scheduled);
    this.#push(scheduled);
  }

  cancel(key: string): boolean {
    const timer = this.#byKey.get(key);
    if (timer === undefined) return false;
    this.#log.record(() => this.#revive(timer));
    this.#byKey.delete(key);
    return true;
  }

  get(key: string): Timer | undefined {
    return this.#byKey.get(key);
  }

  /** The timer that is due first. */
  next(): Timer | undefined {
    for (;;) {
      const first = this.#heap[0];
      if (first === undefined || this.#byKey.get(first.key) === first) return first;
      this.#pop();
    }
  }

  /** Every timer, in the order in which they will run. */
  pending(): Timer[] {
    return [...this.#byKey.values()].sort(compare);
  }

  copyFrom(timers: readonly Timer[], sequence: number): void {
    this.#byKey = new Map(timers.map((timer) => [timer.key, timer]));
    this.#heap = [...timers].sort(compare);
    this.#sequence = sequence;
  }

  get sequence(): number {
    return this.#sequence;
  }

  /** A rolled-back cancellation: the heap may have dropped the entry meanwhile, and a second entry of the same timer does no harm. */
  #revive(timer: Timer): void {
    this.#byKey.set(timer.key, timer);
    this.#push(timer);
  }

  #push(timer: Timer): void {
    const heap = this.#heap;
    let index = heap.push(timer) - 1;
    while (index > 0) {
      const parent = (index - 1) >> 1;
      const above = heap[parent] as Timer;
      if (compare(above, timer) <= 0) break;
      heap[index] = above;
      index = parent;
    }
    heap[index] = timer;
    // Stale entries would pile up where timers are mostly cancelled, as challenge windows are.
    if (heap.length > 64 && heap.length > 4 * this.#byKey.size) this.#heap = [...this.#byKey.values()].sort(compare);
  }

  #pop(): void {
    const heap = this.#heap;
    const last = heap.pop();
    if (last === undefined || heap.length === 0) return;
    let index = 0;
    for (;;) {
      let child = 2 * index + 1;
      if (child >= heap.length) break;
      if (child + 1 < heap.length && compare(heap[child + 1] as Timer, heap[child] as Timer) < 0) child += 1;
      const below = heap[child] as Timer;
      if (compare(last, below) <= 0) break;
      heap[index] = below;
      index = child;
    }
    heap[index] = last;
  }
}

function compare(left: Timer, right: Timer): number {
  return left.at - right.at || left.sequence - right.sequence;
}
