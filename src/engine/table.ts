import type { UndoLog } from "./undo-log.ts";

/** Finds the value under which a row is indexed; undefined leaves the row out of that index. */
export type KeyOf<Value> = (value: Value) => string | undefined;

/**
 * The rows of one kind by id, in the order in which they were made. Values are plain, immutable data: a change replaces the value,
 * so that a fork may share it and a fact may carry it. Indexes are derived and never part of a snapshot.
 */
export class Table<Value> {
  readonly #log: UndoLog;
  readonly #keys: Readonly<Record<string, KeyOf<Value>>>;
  #values = new Map<string, Value>();
  #indexes: Record<string, Map<string, string>>;

  constructor(log: UndoLog, keys: Readonly<Record<string, KeyOf<Value>>> = {}) {
    this.#log = log;
    this.#keys = keys;
    this.#indexes = emptyIndexes(keys);
  }

  get size(): number {
    return this.#values.size;
  }

  get(id: string): Value | undefined {
    return this.#values.get(id);
  }

  /** The value whose unique `index` key is `key`. */
  by(index: string, key: string): Value | undefined {
    const id = this.#indexes[index]?.get(key);
    return id === undefined ? undefined : this.#values.get(id);
  }

  values(): IterableIterator<Value> {
    return this.#values.values();
  }

  set(id: string, value: Value): void {
    const previous = this.#values.get(id);
    this.#log.record(() => (previous === undefined ? this.#remove(id) : this.#put(id, previous)));
    this.#put(id, value);
  }

  /** Takes over all rows of another table of the same kind; the rows themselves are shared. */
  copyFrom(other: Table<Value>): void {
    this.#values = new Map(other.#values);
    this.#indexes = Object.fromEntries(Object.entries(other.#indexes).map(([name, index]) => [name, new Map(index)]));
  }

  entries(): [string, Value][] {
    return [...this.#values];
  }

  replaceAll(entries: readonly (readonly [string, Value])[]): void {
    this.#values = new Map();
    this.#indexes = emptyIndexes(this.#keys);
    for (const [id, value] of entries) this.#put(id, value);
  }

  #put(id: string, value: Value): void {
    const previous = this.#values.get(id);
    this.#values.set(id, value);
    for (const name in this.#keys) {
      const keyOf = this.#keys[name];
      const index = this.#indexes[name];
      if (keyOf === undefined || index === undefined) continue;
      const key = keyOf(value);
      const previousKey = previous === undefined ? undefined : keyOf(previous);
      if (key === previousKey) continue;
      if (previousKey !== undefined) index.delete(previousKey);
      if (key !== undefined) index.set(key, id);
    }
  }

  #remove(id: string): void {
    const previous = this.#values.get(id);
    if (previous === undefined) return;
    this.#values.delete(id);
    for (const name in this.#keys) {
      const key = this.#keys[name]?.(previous);
      if (key !== undefined) this.#indexes[name]?.delete(key);
    }
  }
}

function emptyIndexes(keys: Readonly<Record<string, unknown>>): Record<string, Map<string, string>> {
  return Object.fromEntries(Object.keys(keys).map((name) => [name, new Map<string, string>()]));
}
