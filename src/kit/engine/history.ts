import * as z from "zod/mini";
import { CentavoError } from "../base/errors/centavo-error.ts";
import { count } from "./row-schema.ts";
import type { Table, TableOptions } from "./table.ts";
import type { UndoLog } from "./undo-log.ts";

/** How the history forgets one kind of resource. These functions are called between units. */
export interface Forgettable {
  /** Whether something unfinished still needs the resource. */
  readonly isNeeded: (id: string) => boolean;
  /** How many needed resources to keep beyond the bound, newest first; all of them by default. */
  readonly mostNeeded?: number;
  /** Deletes all rows of these resources. */
  readonly forget: (ids: readonly string[]) => void;
}

interface Kind extends Forgettable {
  /** The finished resources, oldest first. They are rows of the world, so that a restored world forgets the same resources. */
  readonly finished: Table<true>;
}

/** The `mostNeeded` of resources that are needed until they expire, because nothing expires while virtual time stands still. */
export const MOST_UNEXPIRED = 10_000;

/** Sweeping fewer resources than this costs more than it saves. */
const SMALLEST_EXCESS = 64;

const finishedRow = z.literal(true);

/**
 * Lists the finished resources of a world, and forgets the oldest when the world is bounded. It never forgets a resource that something
 * unfinished still needs. A sweep runs when the list has grown by a quarter since the last one, and looks only at resources beyond the
 * bound. So each finished resource costs the same, however many old ones are still needed.
 */
export class History {
  readonly #log: UndoLog;
  readonly #keep: number;
  readonly #declare: <Value>(name: string, options: TableOptions<Value>) => Table<Value>;
  readonly #kinds = new Map<string, Kind>();
  /** How many of each kind remained after the last sweep. */
  #left: Table<number> | undefined;

  /**
   * @param declare declares a table of the world
   * @param keep the minimum number of each kind to keep
   */
  constructor(
    log: UndoLog,
    declare: <Value>(name: string, options: TableOptions<Value>) => Table<Value>,
    keep: number,
  ) {
    this.#log = log;
    this.#declare = declare;
    this.#keep = keep;
  }

  /** Bounds one kind of resource. Call this before the world begins. */
  track(name: string, forgettable: Forgettable): void {
    this.#left ??= this.#declare("history", { row: count });
    const finished = this.#declare(`finished-${name}`, { row: finishedRow });
    this.#kinds.set(name, { finished, ...forgettable });
  }

  /**
   * Records that a resource has finished. Call this inside the unit in which it finishes.
   * @throws {CentavoError} `MACHINE_DEFECT` when the kind is not tracked
   */
  finish(name: string, id: string): void {
    if (this.#keep === Infinity) return;
    const kind = this.#kinds.get(name);
    if (kind === undefined)
      throw new CentavoError(
        "MACHINE_DEFECT",
        `The history does not track "${name}", so a bounded world could not forget it. Call track first.`,
      );
    if (kind.finished.get(id) === undefined) kind.finished.set(id, true);
  }

  /** Forgets resources beyond the bound once there are enough of them. Call this between units, because it cannot be undone. */
  trim(): void {
    if (this.#keep === Infinity) return;
    for (const [name, kind] of this.#kinds) {
      const expected = Math.max(this.#keep, this.#left?.get(name) ?? 0);
      if (kind.finished.size >= expected + Math.max(SMALLEST_EXCESS, expected / 4)) this.#sweep(name, kind);
    }
  }

  #sweep(name: string, { finished, isNeeded, mostNeeded = Infinity, forget }: Kind): void {
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
