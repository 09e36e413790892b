import { CentavoError } from "../errors/centavo-error.ts";
import { keyOf } from "./timer.ts";
import type { Timer } from "./timer.ts";
import { TimerHeap } from "./timer-heap.ts";
import { LAST_MOMENT } from "./timestamp.ts";
import type { UndoLog } from "./undo-log.ts";

/** Timers of one owner and name, by subject. */
type Kind = Map<string, Timer | undefined>;

/** A sweep of fewer than these costs more than it saves. */
const SMALLEST_SWEEP = 64;

/**
 * All timers of a world. Maps say what is on the clock; a heap beside them has the order in which timers run.
 *
 * A cancelled timer stays in the heap until it comes to the top, and its subject stays in the map. Both are swept when they outnumber
 * the timers on the clock. The maps go by owner and name, then by subject: one key made of all three would be hashed at every call.
 */
export class Timers {
  readonly #log: UndoLog;
  #kinds = new Map<string, Map<string, Kind>>();
  /** How many subjects the maps have, including those whose timer was cancelled. */
  #subjects = 0;
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
    return this.#living().toSorted(compare);
  }

  /** Returns the function that restores the present timers after `replaceAll`. */
  checkpoint(): () => void {
    const kinds = this.#kinds;
    const subjects = this.#subjects;
    const heap = this.#heap;
    const size = this.#size;
    const sequence = this.#sequence;
    return () => {
      this.#kinds = kinds;
      this.#subjects = subjects;
      this.#heap = heap;
      this.#size = size;
      this.#sequence = sequence;
    };
  }

  replaceAll(timers: readonly Timer[], sequence: number): void {
    this.#index(timers);
    this.#size = this.#subjects;
    this.#heap = new TimerHeap(timers.toSorted(compare));
    this.#sequence = sequence;
  }

  /** Writes or undoes a write. An undo puts its timer into the heap once more, because a sweep may have dropped it. */
  #replace({ owner, subject, name }: Timer, from: Timer | undefined, to: Timer | undefined): void {
    const kind = this.#kindOf(owner, name);
    const { size } = kind;
    kind.set(subject, to);
    this.#subjects += kind.size - size;
    if (from !== undefined) this.#size -= 1;
    if (to !== undefined) {
      this.#size += 1;
      this.#heap.add(to);
    }
    const most = Math.max(SMALLEST_SWEEP, 4 * this.#size);
    if (this.#heap.size > most) this.#heap = new TimerHeap(this.pending());
    if (this.#subjects > most) this.#index(this.#living());
  }

  #kindOf(owner: string, name: string): Kind {
    let kinds = this.#kinds.get(owner);
    if (kinds === undefined) this.#kinds.set(owner, (kinds = new Map<string, Kind>()));
    let kind = kinds.get(name);
    if (kind === undefined) kinds.set(name, (kind = new Map<string, Timer | undefined>()));
    return kind;
  }

  /** Rebuilds the maps from these timers alone. */
  #index(timers: readonly Timer[]): void {
    this.#kinds = new Map();
    this.#subjects = 0;
    for (const timer of timers) {
      const kind = this.#kindOf(timer.owner, timer.name);
      const { size } = kind;
      kind.set(timer.subject, timer);
      this.#subjects += kind.size - size;
    }
  }

  #living(): Timer[] {
    const living: Timer[] = [];
    for (const kinds of this.#kinds.values())
      for (const kind of kinds.values()) for (const timer of kind.values()) if (timer !== undefined) living.push(timer);
    return living;
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
