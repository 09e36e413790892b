import { CentavoError } from "../base/errors/centavo-error.ts";
import { keyOf } from "./timer.ts";
import type { Timer } from "./timer.ts";
import { inOrder, TimerHeap } from "./timer-heap.ts";
import { LAST_MOMENT } from "./timestamp.ts";
import type { UndoLog } from "./undo-log.ts";

/** A smaller heap is not worth sweeping. */
const SMALLEST_SWEEP = 64;

/**
 * All timers of a world: a map holds the timers on the clock, and a heap finds the next one. A cancelled timer stays in the heap until it
 * reaches the top, or until a sweep because there are too many.
 */
export class Timers {
  readonly #log: UndoLog;
  #byKey = new Map<string, Timer>();
  #heap = new TimerHeap();
  #sequence = 0;

  constructor(log: UndoLog) {
    this.#log = log;
  }

  get size(): number {
    return this.#byKey.size;
  }

  /** The sequence number of the last scheduled timer. */
  get sequence(): number {
    return this.#sequence;
  }

  /** @throws {CentavoError} `MACHINE_DEFECT` for a due time that is not a moment */
  schedule(timer: Omit<Timer, "sequence">): void {
    if (!Number.isInteger(timer.at) || timer.at > LAST_MOMENT) throw neverDue(timer);
    const key = keyOf(timer);
    const previous = this.#byKey.get(key);
    const before = this.#sequence;
    this.#log.record(() => {
      this.#sequence = before;
      this.#put(key, previous);
    });
    this.#sequence += 1;
    this.#put(key, { ...timer, sequence: this.#sequence });
  }

  cancel(owner: string, subject: string, name: string): boolean {
    const key = keyOf({ owner, subject, name });
    const timer = this.#byKey.get(key);
    if (timer === undefined) return false;
    this.#log.record(() => this.#put(key, timer));
    this.#put(key, undefined);
    return true;
  }

  get(owner: string, subject: string, name: string): Timer | undefined {
    return this.#byKey.get(keyOf({ owner, subject, name }));
  }

  /** Returns the timer that is due first. */
  next(): Timer | undefined {
    for (;;) {
      const { first } = this.#heap;
      if (first === undefined || this.#byKey.get(keyOf(first)) === first) return first;
      this.#heap.removeFirst();
    }
  }

  /** Returns every timer, in the order in which they will run. */
  pending(): Timer[] {
    return [...this.#byKey.values()].toSorted(inOrder);
  }

  replaceAll(timers: readonly Timer[], sequence: number): void {
    this.#byKey = new Map(timers.map((timer) => [keyOf(timer), timer]));
    this.#heap = new TimerHeap(this.pending());
    this.#sequence = sequence;
  }

  /**
   * Copies the timers of another world.
   * @param again timers that the other world had begun to run, and that run again in this one
   */
  copyFrom(other: Timers, again: readonly Timer[]): void {
    this.#byKey = new Map(other.#byKey);
    this.#heap = other.#heap.copy();
    this.#sequence = other.#sequence;
    for (const timer of again) this.#put(keyOf(timer), timer);
  }

  /** An undo pushes its timer onto the heap again, because a sweep may have dropped it. */
  #put(key: string, timer: Timer | undefined): void {
    if (timer === undefined) this.#byKey.delete(key);
    else {
      this.#byKey.set(key, timer);
      this.#heap.add(timer);
    }
    if (this.#heap.size > Math.max(SMALLEST_SWEEP, 4 * this.size)) this.#heap = new TimerHeap(this.pending());
  }
}

function neverDue(timer: Omit<Timer, "sequence">): CentavoError {
  return new CentavoError(
    "MACHINE_DEFECT",
    `The timer ${keyOf(timer)} (${timer.input.type}) was scheduled for ${timer.at}, which is not a moment in whole milliseconds up to the year 275760.`,
  );
}
