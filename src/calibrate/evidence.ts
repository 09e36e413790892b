import { alternativesOf } from "../kit/assumptions/alternatives.ts";
import type { Choice } from "../kit/assumptions/entry.ts";
import { assumptionTable } from "../service/assumption-table.ts";
import type { ChangeableAssumptionId } from "../service/assumption-table.ts";
import { toldOfTables } from "./fit-tables.ts";
import { probe } from "./fit-templates.ts";
import type { Search } from "./search.ts";
import { rows, templatesOf } from "./slots.ts";
import type { Row } from "./slots.ts";
import { nameOf } from "./values.ts";

/** Which exchanges speak for the value of a row. */
export type Evidence = ReadonlyMap<ChangeableAssumptionId, readonly string[]>;

/** How many other values are tried of a row to see whether a recording shows it. */
const MOST_CONTRARIES = 3;

/** Returns which exchanges speak for each row's value: those that fit less under another one. */
export async function evidenceOf(search: Search, known: Evidence): Promise<Evidence> {
  const evidence = new Map<ChangeableAssumptionId, ReadonlySet<string>>();
  const add = (id: ChangeableAssumptionId, sources: readonly string[]): void => {
    if (sources.length > 0) evidence.set(id, new Set([...(evidence.get(id) ?? []), ...sources]));
  };
  for (const [id, sources] of known) add(id, sources);
  const fitting = new Set(
    search.played.compared.flatMap(({ step, weight }) => (weight === 0 ? [step.exchange.source] : [])),
  );
  let open = rows.flatMap(templatesOf);
  while (open.length > 0 && search.hasBudget) {
    const samples = await probe(search, open);
    const shown = open.filter((slot) => samples.has(nameOf(slot)));
    if (shown.length === 0) break;
    for (const slot of shown)
      add(
        slot.row.id,
        (samples.get(nameOf(slot)) ?? []).map(({ source }) => source).filter((each) => fitting.has(each)),
      );
    open = open.filter((slot) => !shown.includes(slot));
  }
  for (const { slot, told } of await toldOfTables(search))
    add(
      slot.row.id,
      told.map(({ source }) => source),
    );
  const used = new Set(search.played.used);
  for (const row of rows) {
    const isChanged = Object.hasOwn(search.values, row.id);
    if (evidence.has(row.id) || !(used.has(row.id) || isChanged) || !search.hasBudget) continue;
    for (const value of contraries(row, isChanged)) {
      const { compared } = await search.try({ ...search.values, [row.id]: value });
      const worse = compared.filter(({ weight }, index) => weight > (search.played.compared[index]?.weight ?? 0));
      add(
        row.id,
        worse.map(({ step }) => step.exchange.source),
      );
      if (evidence.has(row.id)) break;
    }
  }
  return new Map([...evidence].map(([id, sources]) => [id, [...sources]]));
}

/** Returns other values of a row, which a recording contradicts that shows the row at all. */
function contraries(row: Row, isChanged: boolean): readonly unknown[] {
  if (isChanged) return [row.value];
  const declared = alternativesOf(assumptionTable[row.id] as Choice).map(({ value }) => value);
  return declared.slice(0, MOST_CONTRARIES);
}
