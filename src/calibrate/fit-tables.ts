import { markedTable, toldByMarks } from "./derive-table.ts";
import type { Told } from "./derive-table.ts";
import type { Search } from "./search.ts";
import { rows, tablesOf, withPart } from "./slots.ts";
import type { TableSlot } from "./slots.ts";
import type { Values } from "./values.ts";

/** What recordings say of a table. */
interface ToldOfTable {
  readonly slot: TableSlot;
  readonly told: readonly Told[];
}

/** Takes from the recordings what they say of each key of a table. */
export async function fitTables(search: Search): Promise<void> {
  if (!search.isOpen) return;
  for (const { slot, told } of await toldOfTables(search)) {
    const { row } = slot;
    for (const [key, each] of Map.groupBy(told, (one) => one.key)) {
      const values = Map.groupBy(each, ({ value }) => value);
      const [most] = [...values].toSorted(([, left], [, right]) => right.length - left.length);
      if (most === undefined) continue;
      if (values.size > 1)
        search.disagree({
          id: row.id,
          key,
          values: [...values].map(([value, by]) => ({ value, sources: by.map(({ source }) => source) })),
        });
      await search.takeIfBetter(row, withPart(search.valueOf(row), [...slot.path, key, ...slot.within], most[0]));
    }
  }
}

/** Plays with marks in the tables, and returns what the recordings say of each. */
export async function toldOfTables(search: Search): Promise<readonly ToldOfTable[]> {
  const slots = rows.flatMap(tablesOf).filter((slot) => marked(search.values, slot) !== undefined);
  // Texts are marks of their own, but two may stand in one sentence. A number is none, so each table of numbers is played alone.
  const texts = Map.groupBy(
    slots.filter(({ kind }) => kind === "text"),
    ({ within }) => within.join("."),
  );
  const numbers = slots.filter(({ kind }) => kind === "number");
  const told: ToldOfTable[] = [];
  for (const group of [...texts.values(), ...numbers.map((slot) => [slot])]) {
    let { values } = search;
    for (const slot of group) values = marked(values, slot) ?? values;
    const { compared } = await search.try(values);
    told.push(...group.map((slot) => ({ slot, told: toldByMarks(slot, compared) })));
  }
  return told;
}

function marked(values: Values, slot: TableSlot): Values | undefined {
  const { row } = slot;
  const table = markedTable(slot, values[row.id] ?? row.value);
  return row.schema.safeParse(table).success && table !== undefined ? { ...values, [row.id]: table } : undefined;
}
