import type { Table } from "./table.ts";
import type { UndoLog } from "./undo-log.ts";

/** What a kind of thing has to say about those of its own that have come to their end. Both are asked between units. */
export interface Forgettable {
  /** Whether something that goes on needs it all the same. */
  readonly isNeeded: (id: string) => boolean;
  /** How many of those that are needed stay beyond the bound, the newest; all by default. */
  readonly mostNeeded?: number;
  /** Lets go of all rows of these. */
  readonly forget: (ids: readonly string[]) => void;
}

interface Kind extends Forgettable {
  readonly name: string;
  /** What has come to its end, in this order: rows of the world, so that a restored world forgets the same. */
  readonly finished: Table<true>;
}

/** The `mostNeeded` of things that are needed until they expire: while virtual time stands still they never expire. */
export const MOST_UNEXPIRED = 10_000;

/** Below this a sweep costs more than what it clears away. */
const SMALLEST_EXCESS = 64;

/**
 * What is over in a world, so that where the world is bounded the oldest of it can be forgotten: that which came to its end first,
 * never what something that goes on still needs.
 *
 * A sweep comes when a quarter has been added to what the last one left, and goes only through what lies beyond the bound, so that its
 * cost for each thing that comes to an end is constant, however many old ones are needed.
 */
export class History {
  readonly #log: UndoLog;
  readonly #keep: number;
  readonly #declare: <Value>(name: string) => Table<Value>;
  readonly #kinds: Kind[] = [];
  /** How many of each kind the last sweep left. */
  #left: Table<number> | undefined;

  /**
   * @param declare declares a table of the world
   * @param keep how many of each kind to keep at least
   */
  constructor(log: UndoLog, declare: <Value>(name: string) => Table<Value>, keep: number) {
    this.#log = log;
    this.#declare = declare;
    this.#keep = keep;
  }

  /**
   * Lets one kind of thing be forgotten.
   * @returns to be called inside the unit in which one of them comes to its end, by its id
   */
  track(name: string, forgettable: Forgettable): (id: string) => void {
    this.#left ??= this.#declare("history");
    const finished = this.#declare<true>(`finished-${name}`);
    this.#kinds.push({ name, finished, ...forgettable });
    return (id) => {
      if (this.#keep !== Infinity && finished.get(id) === undefined) finished.set(id, true);
    };
  }

  /** Forgets what lies beyond the bound, where there is enough of it. Between units, because nothing brings it back. */
  trim(): void {
    if (this.#keep === Infinity) return;
    for (const kind of this.#kinds) {
      const expected = Math.max(this.#keep, this.#left?.get(kind.name) ?? 0);
      if (kind.finished.size >= expected + Math.max(SMALLEST_EXCESS, expected / 4)) this.#sweep(kind);
    }
  }

  #sweep({ name, finished, isNeeded, mostNeeded = Infinity, forget }: Kind): void {
    let excess = finished.size - this.#keep;
    const ids: string[] = [];
    for (const id of finished.ids()) {
      if (excess === 0) break;
      if (excess > mostNeeded || !isNeeded(id)) ids.push(id);
      excess -= 1;
    }
    this.#log.run(() => {
      forget(ids);
      finished.forget(ids);
      this.#left?.set(name, finished.size - ids.length);
    });
  }
}
