import { CentavoError } from "../base/errors/centavo-error.ts";
import { LayeredMap } from "./layered-map.ts";
import { keyOf } from "./timer.ts";
import type { Timer } from "./timer.ts";
import { TimerHeap } from "./timer-heap.ts";
import { LAST_MOMENT } from "./timestamp.ts";
import type { UndoLog } from "./undo-log.ts";

/** A sweep of fewer than these costs more than it saves. */
const SMALLEST_SWEEP = 64;

/**
 * All timers of a world. Maps say what is on the clock; a heap beside them has the order in which timers run.
 *
 * A cancelled timer stays in the heap until it comes to the top, or until those outnumber the timers on the clock. The maps go by owner and
 * name, then by subject: one key made of all three would be hashed at every call.
 */
export class Timers {
  readonly #log: UndoLog;
  /** By owner, name and subject. */
  #kinds = new Map<string, Map<string, LayeredMap<Timer>>>();
  #heap = new TimerHeap();
  #size = 0;
  #sequence = 0;

  constructor(log: UndoLog) {
    this.#log = log;
  }

  get size(): number {
    return this.#size;
  }

  /** The sequence of the timer scheduled last. */
  get sequence(): number {
    return this.#sequence;
  }

  /** @throws {CentavoError} `MACHINE_DEFECT` for a due time that is not a moment */
  schedule(timer: Omit<Timer, "sequence">): void {
    if (!Number.isInteger(timer.at) || timer.at > LAST_MOMENT) throw neverDue(timer);
    const previous = this.get(timer.owner, timer.subject, timer.name);
    const scheduled: Timer = { ...timer, sequence: this.#sequence + 1 };
    this.#log.record(() => {
      this.#sequence = scheduled.sequence - 1;
      this.#replace(scheduled, scheduled, previous);
    });
    this.#sequence = scheduled.sequence;
    this.#replace(scheduled, previous, scheduled);
  }

  cancel(owner: string, subject: string, name: string): boolean {
    const timer = this.get(owner, subject, name);
    if (timer === undefined) return false;
    this.#log.record(() => this.#replace(timer, undefined, timer));
    this.#replace(timer, timer, undefined);
    return true;
  }

  get(owner: string, subject: string, name: string): Timer | undefined {
    return this.#kinds.get(owner)?.get(name)?.get(subject);
  }

  /** Returns the timer that is due first. */
  next(): Timer | undefined {
    for (;;) {
      const { first } = this.#heap;
      if (first === undefined || this.get(first.owner, first.subject, first.name) === first) return first;
      this.#heap.removeFirst();
    }
  }

  /** Returns every timer, in the order in which they will run. */
  pending(): Timer[] {
    const pending: Timer[] = [];
    for (const names of this.#kinds.values())
      for (const timers of names.values()) for (const timer of timers.values()) pending.push(timer);
    return pending.toSorted(compare);
  }

  /** Returns the function that restores the present timers after `replaceAll`. */
  checkpoint(): () => void {
    const kinds = this.#kinds;
    const heap = this.#heap;
    const size = this.#size;
    const sequence = this.#sequence;
    return () => {
      this.#kinds = kinds;
      this.#heap = heap;
      this.#size = size;
      this.#sequence = sequence;
    };
  }

  replaceAll(timers: readonly Timer[], sequence: number): void {
    this.#kinds = new Map();
    this.#heap = new TimerHeap();
    this.#size = 0;
    for (const timer of timers) this.#replace(timer, this.get(timer.owner, timer.subject, timer.name), timer);
    this.#sequence = sequence;
  }

  /**
   * Takes over the timers of another world, at a cost that does not grow with their number.
   * @param again timers that the other world has begun to run, and that run once more in this one
   */
  copyFrom(other: Timers, again: readonly Timer[]): void {
    this.#kinds = new Map(
      Array.from(other.#kinds, ([owner, names]) => [
        owner,
        new Map(Array.from(names, ([name, timers]) => [name, timers.fork()])),
      ]),
    );
    this.#heap = other.#heap.fork();
    this.#size = other.#size;
    this.#sequence = other.#sequence;
    for (const timer of again) this.#replace(timer, undefined, timer);
  }

  /** Writes or undoes a write. An undo puts its timer into the heap once more, because a sweep may have dropped it. */
  #replace({ owner, subject, name }: Timer, from: Timer | undefined, to: Timer | undefined): void {
    const kind = this.#kindOf(owner, name);
    if (from !== undefined) this.#size -= 1;
    if (to === undefined) kind.delete(subject);
    else {
      kind.set(subject, to);
      this.#size += 1;
      this.#heap.add(to);
    }
    if (this.#heap.size > Math.max(SMALLEST_SWEEP, 4 * this.#size)) this.#heap = new TimerHeap(this.pending());
  }

  #kindOf(owner: string, name: string): LayeredMap<Timer> {
    let kinds = this.#kinds.get(owner);
    if (kinds === undefined) this.#kinds.set(owner, (kinds = new Map<string, LayeredMap<Timer>>()));
    let kind = kinds.get(name);
    if (kind === undefined) kinds.set(name, (kind = new LayeredMap()));
    return kind;
  }
}

function neverDue(timer: Omit<Timer, "sequence">): CentavoError {
  return new CentavoError(
    "MACHINE_DEFECT",
    `The timer ${keyOf(timer)} (${timer.input.type}) was scheduled for ${timer.at}, which is not a moment in whole milliseconds up to the year 275760.`,
  );
}

function compare(left: Timer, right: Timer): number {
  return left.at - right.at || left.sequence - right.sequence;
}
