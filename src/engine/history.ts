import type { Table } from "./table.ts";
import type { UndoLog } from "./undo-log.ts";

/** How the history forgets one kind of resource. It calls these functions between units. */
export interface Forgettable {
  /** Returns true when something unfinished still needs the resource. */
  readonly isNeeded: (id: string) => boolean;
  /** How many needed resources to keep beyond the bound, newest first; all by default. */
  readonly mostNeeded?: number;
  /** Deletes all rows of these resources. */
  readonly forget: (ids: readonly string[]) => void;
}

interface Kind extends Forgettable {
  readonly name: string;
  /** The finished resources, oldest first. They are rows of the world, so a restored world forgets the same ones. */
  readonly finished: Table<true>;
}

/** The `mostNeeded` of resources that are needed until they expire. While virtual time stands still, none expires. */
export const MOST_UNEXPIRED = 10_000;

/** A sweep of fewer than these costs more than it saves. */
const SMALLEST_EXCESS = 64;

/**
 * Lists the finished resources of a world, and forgets the oldest when the world is bounded. It never forgets a resource that something
 * unfinished still needs.
 *
 * A sweep runs when the list has grown by a quarter since the last one, and looks only at resources beyond the bound. So the cost for
 * each finished resource is constant, however many old ones are still needed.
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
   * Bounds one kind of resource.
   * @returns the function to call with the id of each resource that finishes, inside the unit in which it finishes
   */
  track(name: string, forgettable: Forgettable): (id: string) => void {
    this.#left ??= this.#declare("history");
    const finished = this.#declare<true>(`finished-${name}`);
    this.#kinds.push({ name, finished, ...forgettable });
    return (id) => {
      if (this.#keep !== Infinity && finished.get(id) === undefined) finished.set(id, true);
    };
  }

  /** Forgets resources beyond the bound, once there are enough of them. Call it between units, because it cannot be undone. */
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
