import type * as z from "zod/mini";
import { CentavoError } from "../base/errors/centavo-error.ts";
import { deepFreeze } from "./deep-freeze.ts";
import type { UndoLog } from "./undo-log.ts";

/** Returns the key of a row in an index. Keys must be unique; undefined leaves the row out. */
export type KeyOf<Value> = (value: Value) => string | undefined;

/** Options of a table. */
export interface TableOptions<Value> {
  /** The schema of a row in a snapshot, or a function that makes it when the first world is restored. */
  readonly row: z.ZodMiniType<Value> | (() => z.ZodMiniType<Value>);
  /** The indexes, by name. */
  readonly keys?: Readonly<Record<string, KeyOf<Value>>>;
  /**
   * What distinguishes this world from others: `"id"` for the ids of the rows, and names of indexes. Include only what the world itself
   * issued or was given at its beginning, never an id that a merchant may choose for any world.
   */
  readonly identifies?: readonly string[];
}

/** For each key, the id of its row. */
interface Index<Value> {
  readonly name: string;
  readonly keyOf: KeyOf<Value>;
  ids: Map<string, string>;
}

/** Rows with their ids. */
type Entries<Value> = readonly (readonly [id: string, row: Value])[];

/**
 * The rows of one kind by id, in the order of their creation. Rows are plain, immutable data: a change replaces the row, so that a fork can
 * share it and a fact can carry it. Indexes are derived from the rows, and no snapshot contains them.
 */
export class Table<Value> {
  readonly #log: UndoLog;
  readonly #name: string;
  readonly #options: TableOptions<Value>;
  #rows = new Map<string, Value>();
  readonly #indexes: readonly Index<Value>[];

  constructor(log: UndoLog, name: string, options: TableOptions<Value>) {
    this.#log = log;
    this.#name = name;
    this.#options = options;
    this.#indexes = Object.entries(options.keys ?? {}).map(([index, keyOf]) => ({
      name: index,
      keyOf,
      ids: new Map(),
    }));
  }

  get size(): number {
    return this.#rows.size;
  }

  /** The schema of a row in a snapshot. */
  get schema(): z.ZodMiniType<Value> {
    const { row } = this.#options;
    return typeof row === "function" ? row() : row;
  }

  get(id: string): Value | undefined {
    return this.#rows.get(id);
  }

  by(index: string, key: string): Value | undefined {
    const id = this.#index(index).ids.get(key);
    return id === undefined ? undefined : this.#rows.get(id);
  }

  /** Whether this text is an id or a key that distinguishes this world from others. */
  isIdentifiedBy(text: string): boolean {
    return this.#identifying.some((keys) => keys.has(text));
  }

  /** Returns the ids and keys that distinguish this world from others: of each, up to `most` of the newest. */
  identifiers(most: number): string[] {
    return this.#identifying.flatMap((keys) => [...keys.keys()].slice(-most));
  }

  get #identifying(): ReadonlyMap<string, unknown>[] {
    const { identifies = [] } = this.#options;
    return identifies.map((name) => (name === "id" ? this.#rows : this.#index(name).ids));
  }

  /** Returns the ids in the order of creation. */
  ids(): IterableIterator<string> {
    return this.#rows.keys();
  }

  values(): IterableIterator<Value> {
    return this.#rows.values();
  }

  /** Returns every row, oldest first. */
  all(): Value[] {
    return [...this.#rows.values()];
  }

  /** Returns every row with its id, as frozen data. */
  entries(): Entries<Value> {
    return deepFreeze([...this.#rows]);
  }

  set(id: string, value: Value): void {
    this.#requireFreeKeys(id, value);
    const previous = this.#rows.get(id);
    this.#log.record(() => this.#replace(id, value, previous));
    this.#replace(id, previous, value);
  }

  /**
   * Deletes rows for good. Inside a unit they are deleted when it commits, because nothing could restore their order. A row that the unit
   * writes again is kept.
   */
  forget(ids: readonly string[]): void {
    const forgotten = ids.map((id) => [id, this.#rows.get(id)] as const);
    this.#log.atCommit(() => {
      for (const [id, value] of forgotten) if (this.#rows.get(id) === value) this.#replace(id, value, undefined);
    });
  }

  /**
   * Returns a table like this one with other rows.
   * @throws {CentavoError} `MACHINE_DEFECT` when two rows have the same key
   */
  filledWith(entries: Entries<Value>): Table<Value> {
    const filled = new Table(this.#log, this.#name, this.#options);
    for (const [id, value] of entries) {
      filled.#requireFreeKeys(id, value);
      filled.#replace(id, undefined, value);
    }
    return filled;
  }

  /** Replaces all rows with those of another table of the same kind, and shares them. */
  copyFrom(other: Table<Value>): void {
    this.#rows = new Map(other.#rows);
    for (const index of this.#indexes) index.ids = new Map(other.#index(index.name).ids);
  }

  #replace(id: string, from: Value | undefined, to: Value | undefined): void {
    if (to === undefined) this.#rows.delete(id);
    else this.#rows.set(id, to);
    for (const { keyOf, ids } of this.#indexes) {
      const fromKey = from === undefined ? undefined : keyOf(from);
      const toKey = to === undefined ? undefined : keyOf(to);
      if (fromKey === toKey) continue;
      if (fromKey !== undefined) ids.delete(fromKey);
      if (toKey !== undefined) ids.set(toKey, id);
    }
  }

  /** Runs before anything is written, so that a duplicate key or a throwing `KeyOf` cannot leave half a row behind. */
  #requireFreeKeys(id: string, value: Value): void {
    for (const { name, keyOf, ids } of this.#indexes) {
      const key = keyOf(value);
      const other = key === undefined ? undefined : ids.get(key);
      if (other === undefined || other === id) continue;
      throw new CentavoError(
        "MACHINE_DEFECT",
        `The row ${id} of the table "${this.#name}" has the same "${name}" as the row ${other}. An index finds one row; index something that no two rows share.`,
      );
    }
  }

  #index(name: string): Index<Value> {
    const found = this.#indexes.find((index) => index.name === name);
    if (found !== undefined) return found;
    const known = this.#indexes.map((index) => index.name).join(", ") || "none";
    throw new CentavoError(
      "MACHINE_DEFECT",
      `The table "${this.#name}" has no index "${name}"; it was declared with: ${known}.`,
    );
  }
}
