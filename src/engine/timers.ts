import { TimerHeap } from "./timer-heap.ts";
import type { UndoLog } from "./undo-log.ts";

/** Something that will happen: plain data on the clock, never a running `setTimeout`. */
export interface Timer {
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
  /** Tells it from others of the same owner and subject; scheduling all three again replaces it. */
  readonly name: string;
  readonly input: Readonly<{ type: string }>;
}

/** The words by which people know a timer. */
export function keyOf({ owner, subject, name }: Pick<Timer, "owner" | "subject" | "name">): string {
  return `${owner}/${subject}/${name}`;
}

/** Timers of one owner and name, by subject. */
type Kind = Map<string, Timer | undefined>;

/** Below this a sweep costs more than what it clears away. */
const SMALLEST_SWEEP = 64;

/**
 * All timers of a world: a heap in the order in which they run, beside maps that alone say what is on the clock.
 * A cancelled timer stays in the heap until it surfaces, and its subject in the map, where a fresh entry for the same subject would
 * lengthen the walk past the remains of the old ones; both are swept when they outnumber the living.
 *
 * The maps are by owner and name, then by subject, because a key put together from all three would be hashed anew at every call.
 */
export class Timers {
  readonly #log: UndoLog;
  #kinds = new Map<string, Map<string, Kind>>();
  /** How many subjects the maps hold, those without a living timer included. */
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

  /** The sequence of the timer that was scheduled last. */
  get sequence(): number {
    return this.#sequence;
  }

  schedule(timer: Omit<Timer, "sequence">): void {
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

  /** The timer that is due first. */
  next(): Timer | undefined {
    for (;;) {
      const { first } = this.#heap;
      if (first === undefined || this.get(first.owner, first.subject, first.name) === first) return first;
      this.#heap.removeFirst();
    }
  }

  /** Every timer, in the order in which they will run. */
  pending(): Timer[] {
    return this.#living().toSorted(compare);
  }

  /** Returns the function that puts the timers back as they are now, after `replaceAll`. */
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

  /** Also takes a write back: a timer that comes to life again is put into the heap once more, because a sweep may have dropped it. */
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

  /** Begins the maps anew, without the subjects that have no timer. */
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

function compare(left: Timer, right: Timer): number {
  return left.at - right.at || left.sequence - right.sequence;
}
