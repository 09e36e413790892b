import type { UndoLog } from "./undo-log.ts";

/** Something that will happen: plain data on the clock, never a running `setTimeout`. */
export interface Timer {
  /** Names the timer; scheduling the same key again replaces it. */
  readonly key: string;
  /** When it is due, in milliseconds since 1970-01-01T00:00:00Z. */
  readonly at: number;
  /** The order of scheduling, which decides between timers due at the same moment. */
  readonly sequence: number;
  /** How many timers of this very moment led to this one, 0 for one that time itself brought; tells a loop that never lets time move on. */
  readonly depth: number;
  /** Who runs it: a lifecycle's name, or another part that registered itself with the engine. */
  readonly owner: string;
  /** What it concerns, usually a row's id. */
  readonly subject: string;
  readonly input: Readonly<{ type: string }>;
}

/** Below this a sweep costs more than what it clears away. */
const SMALLEST_SWEEP = 64;

/**
 * All timers of a world: a binary heap by due time and sequence, beside a map by key that alone says what is on the clock.
 * A cancelled timer stays in the heap until it surfaces, and its key in the map, where a fresh entry for the same key would
 * lengthen the walk past the remains of the old ones; both are swept when they outnumber the living.
 */
export class Timers {
  readonly #log: UndoLog;
  #byKey = new Map<string, Timer | undefined>();
  #heap: Timer[] = [];
  #size = 0;
  #sequence = 0;

  constructor(log: UndoLog) {
    this.#log = log;
  }

  get size(): number {
    return this.#size;
  }

  /** The sequence of the timer that was scheduled last. */
  get sequence(): number {
    return this.#sequence;
  }

  schedule(timer: Omit<Timer, "sequence">): void {
    const previous = this.#byKey.get(timer.key);
    const scheduled: Timer = { ...timer, sequence: this.#sequence + 1 };
    this.#log.record(() => {
      this.#sequence = scheduled.sequence - 1;
      this.#put(timer.key, previous);
    });
    this.#sequence = scheduled.sequence;
    this.#put(timer.key, scheduled);
  }

  cancel(key: string): boolean {
    const timer = this.#byKey.get(key);
    if (timer === undefined) return false;
    this.#log.record(() => this.#put(key, timer));
    this.#put(key, undefined);
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
    return this.#living().toSorted(compare);
  }

  /** The function that puts the timers back as they are now, after `replaceAll`. */
  hold(): () => void {
    const held = { byKey: this.#byKey, size: this.#size, heap: this.#heap, sequence: this.#sequence };
    return () => {
      this.#byKey = held.byKey;
      this.#size = held.size;
      this.#heap = held.heap;
      this.#sequence = held.sequence;
    };
  }

  replaceAll(timers: readonly Timer[], sequence: number): void {
    this.#byKey = new Map(timers.map((timer) => [timer.key, timer]));
    this.#size = this.#byKey.size;
    this.#heap = timers.toSorted(compare);
    this.#sequence = sequence;
  }

  /** Also takes a write back: a timer that comes to life again is put into the heap once more, because a sweep may have dropped it. */
  #put(key: string, timer: Timer | undefined): void {
    if (this.#byKey.get(key) !== undefined) this.#size -= 1;
    this.#byKey.set(key, timer);
    if (timer !== undefined) {
      this.#size += 1;
      this.#push(timer);
    }
    const most = Math.max(SMALLEST_SWEEP, 4 * this.#size);
    if (this.#heap.length > most) this.#heap = this.pending();
    if (this.#byKey.size > most) this.#byKey = new Map(this.#living().map((living) => [living.key, living]));
  }

  #living(): Timer[] {
    const living: Timer[] = [];
    for (const timer of this.#byKey.values()) if (timer !== undefined) living.push(timer);
    return living;
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
