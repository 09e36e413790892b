import type { Timer } from "./timer.ts";

/** A place in a heap that nobody writes to any more. It stands for the timer there and for all below it. */
class Place {
  readonly heap: TimerHeap;
  readonly index: number;

  constructor(heap: TimerHeap, index: number) {
    this.heap = heap;
    this.index = index;
  }
}

/** A copy of a larger heap shares it. A smaller one is copied, so that copies of copies do not lead through many heaps. */
const MOST_COPIED = 1024;

/**
 * A binary heap of timers, ordered by due time and sequence. Both are kept in arrays of plain numbers: following a thousand pointers
 * into memory costs more than everything else that the heap does.
 */
export class TimerHeap {
  #timers: (Timer | Place)[] = [];
  #times: number[] = [];
  #sequences: number[] = [];
  #size = 0;

  /** @param sorted timers in the order in which they run */
  constructor(sorted: readonly Timer[] = []) {
    for (const timer of sorted) this.add(timer);
  }

  get size(): number {
    return this.#size;
  }

  get first(): Timer | undefined {
    let first = this.#timers[0];
    while (first instanceof Place) first = first.heap.#timers[first.index];
    return first;
  }

  /** Returns a copy. Its cost does not grow with the heap. */
  fork(): TimerHeap {
    if (this.#timers.length > MOST_COPIED) {
      const shared = new TimerHeap();
      shared.#become(this.#timers, this.#times, this.#sequences);
      this.#become([], [], []);
      this.#addPlace(shared, 0);
    }
    const copy = new TimerHeap();
    copy.#become([...this.#timers], [...this.#times], [...this.#sequences]);
    copy.#size = this.#size;
    return copy;
  }

  add(timer: Timer): void {
    this.#size += 1;
    this.#add(timer, timer.at, timer.sequence);
  }

  removeFirst(): void {
    if (this.#size === 0) return;
    this.#size -= 1;
    let [removed] = this.#timers;
    this.#removeFirst();
    while (removed instanceof Place) {
      const { heap, index } = removed;
      this.#addPlace(heap, 2 * index + 1);
      this.#addPlace(heap, 2 * index + 2);
      removed = heap.#timers[index];
    }
  }

  #become(timers: (Timer | Place)[], times: number[], sequences: number[]): void {
    this.#timers = timers;
    this.#times = times;
    this.#sequences = sequences;
  }

  #addPlace(heap: TimerHeap, index: number): void {
    if (index < heap.#timers.length)
      this.#add(new Place(heap, index), heap.#times[index] as number, heap.#sequences[index] as number);
  }

  #add(timer: Timer | Place, at: number, sequence: number): void {
    let index = this.#timers.length;
    while (index > 0) {
      const parent = (index - 1) >> 1;
      if (!this.#isLater(parent, at, sequence)) break;
      this.#move(parent, index);
      index = parent;
    }
    this.#put(index, timer, at, sequence);
  }

  #removeFirst(): void {
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
    this.#put(to, this.#timers[from] as Timer | Place, this.#times[from] as number, this.#sequences[from] as number);
  }

  #put(index: number, timer: Timer | Place, at: number, sequence: number): void {
    this.#timers[index] = timer;
    this.#times[index] = at;
    this.#sequences[index] = sequence;
  }
}
