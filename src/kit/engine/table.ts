import type * as z from "zod/mini";
import { CentavoError } from "../base/errors/centavo-error.ts";
import { deepFreeze } from "./deep-freeze.ts";
import { LayeredMap } from "./layered-map.ts";
import type { UndoLog } from "./undo-log.ts";

/** Returns the key of a row in an index. No two rows may share one; undefined leaves the row out. */
export type KeyOf<Value> = (value: Value) => string | undefined;

/** Options of a table. */
export interface TableOptions<Value> {
  /**
   * The schema of a row in a snapshot, or a function that makes it, which is called when a world is restored, and not before. A snapshot
   * with any other row is refused.
   */
  readonly row: z.ZodMiniType<Value> | (() => z.ZodMiniType<Value>);
  /** The tables whose ids a row names, by the path of the field. An absent field names none, a list names several. */
  readonly references?: Readonly<Record<string, string>>;
  /** The random streams from which rows were drawn. A world with rows but without these streams would draw the same again. */
  readonly drawnFrom?: readonly string[];
  /** How many rows every world has at least; none by default. */
  readonly least?: number;
  /**
   * Returns what is wrong with a row of a restored world that its schema accepts, beginning with the field. Every table is filled by
   * then, and every reference leads to a row.
   * @param now the world's time, in milliseconds since 1970
   * @param before the row that was made before this one; undefined for the first
   */
  readonly problemOf?: (row: Value, id: string, now: number, before?: Value) => string | undefined;
  /** The indexes, by name. */
  readonly keys?: Readonly<Record<string, KeyOf<Value>>>;
  /**
   * What tells this world from others: `"id"` for the ids of the rows, and names of indexes. Only what the world itself issued or was
   * given at its beginning belongs here, never an id that a merchant may choose for any world.
   */
  readonly identifies?: readonly string[];
  readonly observer?: TableObserver<Value>;
  /** Turns a row into plain data, which takes its place, for a snapshot; needed when rows are not plain data. */
  readonly asData?: (value: Value) => Value;
}

/** Is told of every change of a table, including rollbacks and restores, to keep derived data up to date. */
export interface TableObserver<Value> {
  /** A row was made (`from` is undefined), changed, or taken back (`to` is undefined). */
  replaced(from: Value | undefined, to: Value | undefined): void;
  /** Every row is gone. `replaced` is then called for each row that stays or is added. */
  cleared(): void;
  /**
   * Takes over what the observer of another world derived from the same rows, at a cost that does not grow with their number. Without
   * this, `cleared` is called, and `replaced` for every row.
   */
  copyFrom?(other: this): void;
}

/** Rows with their ids, frozen to the last field. */
type Entries<Value> = readonly (readonly [id: string, row: Value])[];

/** One empty list for all tables: most have no index, and stay empty in a short test. A weak reference to a list of each would keep it alive for a turn. */
const NONE: readonly never[] = Object.freeze([]);

interface Index<Value> {
  readonly name: string;
  readonly keyOf: KeyOf<Value>;
  ids: LayeredMap<string>;
}

/**
 * The rows of one kind by id, in the order in which they were made. Values are immutable: a change replaces the value, so that a fork
 * can share it and a fact can carry it. They are plain data, or `asData` makes them so. Indexes are never part of a snapshot.
 */
export class Table<Value> {
  readonly #log: UndoLog;
  readonly #name: string;
  readonly #indexes: readonly Index<Value>[];
  readonly #observer: TableObserver<Value> | undefined;
  readonly #asData: ((value: Value) => Value) | undefined;
  readonly #identifiesByIds: boolean;
  readonly #identifyingIndexes: readonly Index<Value>[];
  /** How rows of a snapshot are checked. */
  readonly checks: Pick<TableOptions<Value>, "row" | "references" | "drawnFrom" | "least" | "problemOf">;
  #values = new LayeredMap<Value>();
  /** What `entries` returned last, as long as someone has it. */
  #entries: WeakRef<Entries<Value>> | undefined;

  constructor(log: UndoLog, name: string, options: TableOptions<Value>) {
    const { keys, observer, asData, identifies = NONE } = options;
    this.checks = options;
    this.#log = log;
    this.#name = name;
    this.#observer = observer;
    this.#asData = asData;
    this.#indexes =
      keys === undefined
        ? NONE
        : Object.entries(keys).map(([index, keyOf]) => ({ name: index, keyOf, ids: new LayeredMap() }));
    this.#identifiesByIds = identifies.includes("id");
    this.#identifyingIndexes =
      identifies === NONE ? NONE : identifies.filter((index) => index !== "id").map((index) => this.#index(index));
  }

  get size(): number {
    return this.#values.size;
  }

  get(id: string): Value | undefined {
    return this.#values.get(id);
  }

  /** Returns the row that has this key in an index. */
  by(index: string, key: string): Value | undefined {
    const id = this.#index(index).ids.get(key);
    return id === undefined ? undefined : this.#values.get(id);
  }

  /** Whether this text is an id or a key that tells this world from others. */
  isIdentifiedBy(text: string): boolean {
    return (
      (this.#identifiesByIds && this.#values.get(text) !== undefined) ||
      this.#identifyingIndexes.some(({ ids }) => ids.get(text) !== undefined)
    );
  }

  /** Returns the ids and keys that tell this world from others: of each, up to `most` of the newest. */
  identifiers(most: number): string[] {
    const sources = this.#identifyingIndexes.map(({ ids }) => ids.keys());
    if (this.#identifiesByIds) sources.push(this.#values.keys());
    return sources.flatMap((texts) => [...texts].slice(-most));
  }

  values(): IterableIterator<Value> {
    return this.#values.values();
  }

  all(): Value[] {
    return [...this.#values.values()];
  }

  set(id: string, value: Value): void {
    const previous = this.#values.get(id);
    this.#requireFreeKeys(id, previous, value);
    this.#log.record(() => this.#replace(id, value, previous));
    this.#replace(id, previous, value);
  }

  /** Returns the ids in the order in which the rows were made. */
  ids(): IterableIterator<string> {
    return this.#values.keys();
  }

  /**
   * Deletes rows for good. Inside a unit they go when it commits, because nothing could restore their order. A row that the same
   * unit writes again stays.
   */
  forget(ids: readonly string[]): void {
    const forgotten: [string, Value][] = [];
    for (const id of ids) {
      const value = this.#values.get(id);
      if (value !== undefined) forgotten.push([id, value]);
    }
    if (forgotten.length > 0) this.#log.atCommit(() => this.#drop(forgotten));
  }

  #drop(forgotten: readonly (readonly [string, Value])[]): void {
    for (const [id, value] of forgotten) {
      if (this.#values.get(id) !== value) continue;
      this.#values.delete(id);
      for (const index of this.#indexes) {
        const key = index.keyOf(value);
        if (key !== undefined) index.ids.delete(key);
      }
    }
    // All at once, because derived data can rarely drop an old row cheaply.
    this.#tellAll();
  }

  /** Returns every row with its id, as plain data that nobody can change. It shares what the last call returned, and has not changed. */
  entries(): Entries<Value> {
    if (this.size === 0) return NONE;
    const before = this.#entries?.deref() ?? NONE;
    const entries: (readonly [string, Value])[] = [];
    let place = 0;
    for (const [id, value] of this.#values) {
      let old = before[place];
      while (old !== undefined && old[0] !== id && this.#values.get(old[0]) === undefined) old = before[(place += 1)];
      if (old?.[0] === id) place += 1;
      entries.push(old?.[0] === id && old[1] === value ? old : this.#entryOf(id, value));
    }
    this.#entries = new WeakRef(Object.freeze(entries));
    return entries;
  }

  #entryOf(id: string, value: Value): readonly [string, Value] {
    const data = this.#asData?.(value) ?? value;
    if (data !== value) this.#values.rewrite(id, data);
    return deepFreeze([id, data]);
  }

  /** Replaces all rows with those of another table of the same kind, and shares them. The cost does not grow with their number. */
  copyFrom(other: Table<Value>): void {
    this.#values = other.#values.fork();
    this.#entries = other.#entries;
    for (const index of this.#indexes) index.ids = other.#index(index.name).ids.fork();
    if (this.#observer?.copyFrom === undefined) this.#tellAll();
    else if (other.#observer !== undefined) this.#observer.copyFrom(other.#observer);
  }

  /** Returns the function that restores the present rows after `replaceAll`. */
  checkpoint(): () => void {
    const values = this.#values;
    const ids = this.#indexes.map((index) => index.ids);
    return () => {
      this.#values = values;
      for (const [position, index] of this.#indexes.entries()) index.ids = ids[position] as LayeredMap<string>;
      this.#tellAll();
    };
  }

  replaceAll(entries: Entries<Value>): void {
    this.#values = new LayeredMap();
    for (const index of this.#indexes) index.ids = new LayeredMap();
    this.#observer?.cleared();
    for (const [id, value] of entries) {
      const previous = this.#values.get(id);
      this.#requireFreeKeys(id, previous, value);
      this.#replace(id, previous, value);
    }
  }

  /** Tells the observer of all rows again. */
  #tellAll(): void {
    if (this.#observer === undefined) return;
    this.#observer.cleared();
    for (const value of this.#values.values()) this.#observer.replaced(undefined, value);
  }

  #replace(id: string, from: Value | undefined, to: Value | undefined): void {
    if (to === undefined) this.#values.delete(id);
    else this.#values.set(id, to);
    this.#observer?.replaced(from, to);
    for (const { keyOf, ids } of this.#indexes) {
      const fromKey = from === undefined ? undefined : keyOf(from);
      const toKey = to === undefined ? undefined : keyOf(to);
      if (fromKey === toKey) continue;
      if (fromKey !== undefined) ids.delete(fromKey);
      if (toKey !== undefined) ids.set(toKey, id);
    }
  }

  /** Runs before anything is written, so that neither a taken key nor a `KeyOf` that throws leaves half a row behind. */
  #requireFreeKeys(id: string, from: Value | undefined, to: Value): void {
    for (const { name, keyOf, ids } of this.#indexes) {
      const key = keyOf(to);
      // The row has this key already.
      if (key === undefined || (from !== undefined && keyOf(from) === key)) continue;
      const other = ids.get(key);
      if (other === undefined || other === id) continue;
      throw new CentavoError(
        "MACHINE_DEFECT",
        `The row ${id} of the table "${this.#name}" has the same "${name}" as the row ${other}: ${key}. An index finds one row; index something that no two rows share.`,
      );
    }
  }

  #index(name: string): Index<Value> {
    const index = this.#indexes.find((candidate) => candidate.name === name);
    if (index !== undefined) return index;
    const known = this.#indexes.map((candidate) => candidate.name).join(", ") || "none";
    throw new CentavoError(
      "MACHINE_DEFECT",
      `The table "${this.#name}" has no index "${name}"; it was declared with: ${known}.`,
    );
  }
}
