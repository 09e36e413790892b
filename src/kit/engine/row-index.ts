import { countBits, lowerBound, SlotSet } from "./slot-set.ts";
import type { Table, TableObserver } from "./table.ts";

/** Which rows a page shows, newest first. */
export interface PageOptions<Row> {
  /** How many to leave out first; none by default. */
  readonly offset?: number;
  readonly limit: number;
  /** The first slot that may be shown, and the one after the last: `slotFrom` returns them. */
  readonly first?: number | undefined;
  readonly end?: number | undefined;
  /** Looks at every row that the fields let through, so it costs time for each. */
  readonly accepts?: ((row: Row) => boolean) | undefined;
  /** Whether to count the rows after the page too; true by default. */
  readonly counted?: boolean;
}

/** What a row has in each field; undefined when it has none. */
export type ValuesOf<Row, Field extends string> = Readonly<Record<Field, (row: Row) => string | undefined>>;

/**
 * Finds the rows of a table by the values of their fields, in the order in which they were made. Each row has a slot, and each value a
 * set of slots. The index is derived from the rows and never part of a snapshot.
 *
 * It is made when it is first asked, and from then on follows the table: a world that nobody lists pays nothing for it, and neither does
 * a fork. Observe the table with it.
 */
export class RowIndex<Row extends { readonly id: string }, Field extends string> implements TableObserver<Row> {
  readonly #table: () => Pick<Table<Row>, "get" | "values">;
  readonly #fields: readonly (readonly [Field, (row: Row) => string | undefined])[];
  /** The row of each slot; undefined until the index is asked. */
  #rows: Row[] | undefined;
  #slots = new Map<string, number>();
  /** The slots of each value. Most values of a field like an external id have one slot, which takes the least memory as a number. */
  #members = {} as Record<Field, Map<string, SlotSet | number>>;

  /**
   * @param table returns the table, which may be declared later
   * @param fields what to find rows by
   */
  constructor(table: () => Pick<Table<Row>, "get" | "values">, fields: ValuesOf<Row, Field>) {
    this.#table = table;
    this.#fields = Object.entries(fields) as [Field, (row: Row) => string | undefined][];
  }

  replaced(from: Row | undefined, to: Row | undefined): void {
    const rows = this.#rows;
    if (rows === undefined) return;
    const slot = from === undefined ? rows.length : (this.#slots.get(from.id) as number);
    // Only a rollback removes single rows, newest first.
    if (to === undefined) {
      rows.length = slot;
      this.#slots.delete((from as Row).id);
    } else {
      if (from === undefined) this.#slots.set(to.id, slot);
      rows[slot] = to;
    }
    for (const [field, valueOf] of this.#fields) {
      const before = from && valueOf(from);
      const after = to && valueOf(to);
      if (before === after) continue;
      const members = this.#members[field];
      if (before !== undefined) remove(members, before, slot);
      if (after !== undefined) add(members, after, slot);
    }
  }

  cleared(): void {
    this.#rows = undefined;
  }

  /** The copy is made anew when it is first asked. */
  copyFrom(): void {
    this.cleared();
  }

  get(id: string): Row | undefined {
    return this.#table().get(id);
  }

  all(): Row[] {
    return [...this.#table().values()];
  }

  /** Returns the values that rows have in a field. */
  valuesOf(field: Field): string[] {
    this.#listed();
    return [...this.#members[field].keys()].filter((value) => this.having(field, [value], 1).length > 0);
  }

  /** Returns the newest rows that have one of these values, or of all rows, oldest first; all of them without a limit. */
  having(field: Field, values: readonly (string | undefined)[] = [undefined], limit = Infinity): Row[] {
    const rows = this.#listed();
    const slots = values.flatMap((value) => {
      const where = { [field]: value } as Record<Field, string | undefined>;
      return this.page(where, { limit, counted: false }).rows.map(({ id }) => this.slotOf(id));
    });
    return slots
      .toSorted((left, right) => left - right)
      .slice(-limit)
      .map((slot) => rows[slot] as Row);
  }

  /** Returns the slot of a row that exists. */
  slotOf(id: string): number {
    this.#listed();
    return this.#slots.get(id) as number;
  }

  /** Returns the first slot from which on `isReached` is true. */
  slotFrom(isReached: (row: Row) => boolean): number {
    return lowerBound(this.#listed(), isReached);
  }

  /**
   * Returns the rows of a page, newest first, and how many there are on all pages.
   * @param where the value in each field; a field without a value may have any
   */
  page(
    where: { readonly [Each in Field]?: string | undefined },
    { offset = 0, limit, first = 0, end = Infinity, accepts, counted = true }: PageOptions<Row>,
  ): { readonly rows: Row[]; readonly total: number } {
    const listed = this.#listed();
    const rows: Row[] = [];
    let total = 0;
    const take = (slot: number): void => {
      const row = listed[slot];
      if (row === undefined || slot < first || slot >= end || accepts?.(row) === false) return;
      if (total >= offset && rows.length < limit) rows.push(row);
      total += 1;
    };
    const goesOn = (): boolean => counted || rows.length < limit;

    const sets: SlotSet[] = [];
    for (const [field] of this.#fields) {
      const value = where[field];
      if (value === undefined) continue;
      const set = this.#setOf(field, value);
      if (set === undefined) return { rows, total };
      sets.push(set);
    }
    const lists = sets.flatMap(({ list }) => (list === undefined ? [] : [list]));
    const [shortest] = lists.toSorted((left, right) => left.length - right.length);
    if (shortest !== undefined) {
      for (const slot of shortest.toReversed()) if (goesOn() && sets.every((set) => set.has(slot))) take(slot);
      return { rows, total };
    }

    const dense = sets.map(({ words }) => words);
    const last = Math.min(end, listed.length, ...dense.map(({ length }) => length * 32)) - 1;
    for (let word = last >> 5; word >= first >> 5 && goesOn(); word -= 1) {
      let bits = ~0;
      // By place, because an iterator for each of thousands of words would cost more than the words.
      for (let place = 0; place < dense.length; place += 1) bits &= (dense[place] as Uint32Array)[word] as number;
      const count = countBits(bits);
      const isInside = word * 32 >= first && word * 32 + 31 <= last;
      // Only count a word that lies entirely before or after the page.
      if (isInside && accepts === undefined && (total + count <= offset || rows.length >= limit)) total += count;
      else for (; bits !== 0; bits &= ~(1 << (31 - Math.clz32(bits)))) take(word * 32 + 31 - Math.clz32(bits));
    }
    return { rows, total };
  }

  #setOf(field: Field, value: string): SlotSet | undefined {
    const slots = this.#members[field].get(value);
    if (typeof slots !== "number") return slots;
    const set = new SlotSet();
    set.add(slots);
    return set;
  }

  #listed(): Row[] {
    if (this.#rows === undefined) {
      this.#rows = [];
      this.#slots = new Map();
      for (const [field] of this.#fields) this.#members[field] = new Map();
      for (const row of this.#table().values()) this.replaced(undefined, row);
    }
    return this.#rows;
  }
}

function add(members: Map<string, SlotSet | number>, value: string, slot: number): void {
  const slots = members.get(value);
  if (typeof slots === "object") slots.add(slot);
  else if (slots === undefined) members.set(value, slot);
  else {
    const set = new SlotSet();
    set.add(slots);
    set.add(slot);
    members.set(value, set);
  }
}

function remove(members: Map<string, SlotSet | number>, value: string, slot: number): void {
  const slots = members.get(value);
  if (typeof slots === "object") slots.delete(slot);
  else members.delete(value);
}
