import { CentavoError } from "../errors/centavo-error.ts";
import type { UndoLog } from "./undo-log.ts";

/** Finds the value under which a row is indexed, which no two rows may share; undefined leaves the row out of that index. */
export type KeyOf<Value> = (value: Value) => string | undefined;

/** What else there is to say of a kind of row. */
export interface TableOptions<Value> {
  /** The indexes, each by its name. */
  readonly keys?: Readonly<Record<string, KeyOf<Value>>>;
  readonly observer?: TableObserver<Value>;
  /** Makes a row plain data for a snapshot, where it is not yet. */
  readonly asData?: (value: Value) => Value;
}

/** Follows every change of a table, rollbacks and restores included, to keep something derived from its rows. */
export interface TableObserver<Value> {
  /** A row was made (from undefined), changed, or taken back (to undefined). */
  replaced(from: Value | undefined, to: Value | undefined): void;
  /** Every row is gone; those that follow, or are left, are told one by one. */
  cleared(): void;
}

interface Index<Value> {
  readonly name: string;
  readonly keyOf: KeyOf<Value>;
  ids: Map<string, string>;
}

/**
 * The rows of one kind by id, in the order in which they were made. Values are immutable, and plain data or made so by `asData` for a
 * snapshot: a change replaces the value, so that a fork may share it and a fact may carry it. Indexes are derived and never part of a snapshot.
 */
export class Table<Value> {
  readonly #log: UndoLog;
  readonly #name: string;
  readonly #indexes: readonly Index<Value>[];
  readonly #observer: TableObserver<Value> | undefined;
  readonly #asData: ((value: Value) => Value) | undefined;
  #values = new Map<string, Value>();

  constructor(log: UndoLog, name: string, { keys = {}, observer, asData }: TableOptions<Value> = {}) {
    this.#log = log;
    this.#name = name;
    this.#observer = observer;
    this.#asData = asData;
    this.#indexes = Object.entries(keys).map(([index, keyOf]) => ({ name: index, keyOf, ids: new Map() }));
  }

  get size(): number {
    return this.#values.size;
  }

  get(id: string): Value | undefined {
    return this.#values.get(id);
  }

  /** The value whose `index` key is `key`. */
  by(index: string, key: string): Value | undefined {
    const id = this.#index(index).ids.get(key);
    return id === undefined ? undefined : this.#values.get(id);
  }

  values(): IterableIterator<Value> {
    return this.#values.values();
  }

  set(id: string, value: Value): void {
    const previous = this.#values.get(id);
    this.#requireFreeKeys(id, previous, value);
    this.#log.record(() => this.#replace(id, value, previous));
    this.#replace(id, previous, value);
  }

  /** In the order in which the rows were made. */
  ids(): IterableIterator<string> {
    return this.#values.keys();
  }

  /**
   * Lets go of rows for good. Inside a unit they go when it has committed, because nothing could put them back in their order; a row
   * that is written again in the same unit stays.
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
    // Told once, because what is derived from rows rarely has a cheap way to lose one of the oldest.
    this.#tellAll();
  }

  /** Every row by its id, as plain data. */
  entries(): [string, Value][] {
    const asData = this.#asData;
    return asData === undefined
      ? [...this.#values]
      : Array.from(this.#values, ([id, value]): [string, Value] => [id, asData(value)]);
  }

  /** Takes over all rows of another table of the same kind; the rows themselves are shared. */
  copyFrom(other: Table<Value>): void {
    this.#values = new Map(other.#values);
    for (const index of this.#indexes) index.ids = new Map(other.#index(index.name).ids);
    this.#tellAll();
  }

  /** Returns the function that puts the rows back as they are now, after `replaceAll`. */
  checkpoint(): () => void {
    const values = this.#values;
    const ids = this.#indexes.map((index) => index.ids);
    return () => {
      this.#values = values;
      for (const [position, index] of this.#indexes.entries()) index.ids = ids[position] as Map<string, string>;
      this.#tellAll();
    };
  }

  replaceAll(entries: readonly (readonly [string, Value])[]): void {
    this.#values = new Map();
    for (const index of this.#indexes) index.ids = new Map();
    this.#observer?.cleared();
    for (const [id, value] of entries) {
      const previous = this.#values.get(id);
      this.#requireFreeKeys(id, previous, value);
      this.#replace(id, previous, value);
    }
  }

  /** Tells the observer of whole collections that took the place of others. */
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

  /** Asked before anything is written, so that neither a taken key nor a `KeyOf` that throws leaves half a row behind. */
  #requireFreeKeys(id: string, from: Value | undefined, to: Value): void {
    for (const { name, keyOf, ids } of this.#indexes) {
      const key = keyOf(to);
      // What a row keeps is its own already.
      if (key === undefined || (from !== undefined && keyOf(from) === key)) continue;
      const holder = ids.get(key);
      if (holder === undefined || holder === id) continue;
      throw new CentavoError(
        "MACHINE_DEFECT",
        `The row ${id} of the table "${this.#name}" has the same "${name}" as the row ${holder}: ${key}. An index finds one row; index something that no two rows share.`,
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
