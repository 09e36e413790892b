import * as z from "zod/mini";
import { isRecord } from "./differences.ts";
import type { Compared } from "./play.ts";
import { partOfDocument } from "./probe.ts";
import { withPart } from "./slots.ts";
import type { TableSlot } from "./slots.ts";

/** What a recording says of one key of a table. */
export interface Told {
  readonly key: string;
  readonly value: string | number;
  readonly source: string;
}

const MARK = "\u00A7";

/** Returns the value of a row whose table says of each key which it is; undefined where the values are too few for that. */
export function markedTable(slot: TableSlot, current: unknown): unknown {
  const marks = marksOf(slot);
  if (marks === undefined) return undefined;
  return [...marks].reduce((value, [mark, key]) => withPart(value, [...slot.path, key, ...slot.within], mark), current);
}

/** Returns what recorded exchanges say of a table, from the exchanges of a world with a marked one. */
export function toldByMarks(slot: TableSlot, marked: readonly Compared[]): readonly Told[] {
  const marks = marksOf(slot) ?? new Map<string | number, string>();
  const { schema } = slot;
  return marked.flatMap(({ step, sent }) => {
    if (sent === undefined) return [];
    const { answer, kind } = step.exchange;
    const told: (readonly [key: string, value: unknown])[] = [];
    const key = slot.kind === "number" ? marks.get(sent.status) : undefined;
    if (kind === "call" && key !== undefined && answer !== undefined) told.push([key, answer.status]);
    else told.push(...toldIn(sent.document, step.document, marks));
    return told.flatMap(([name, value]): Told[] =>
      schema.safeParse(value).success && (typeof value === "string" || typeof value === "number")
        ? [{ key: name, value, source: step.exchange.source }]
        : [],
    );
  });
}

/** Finds the marks in a document, and what the recorded one has in their place. */
function toldIn(
  document: unknown,
  recorded: unknown,
  marks: ReadonlyMap<string | number, string>,
  path: readonly (string | number)[] = [],
): readonly (readonly [key: string, value: unknown])[] {
  if (typeof document === "number") {
    const key = marks.get(document);
    return key === undefined ? [] : [[key, partOfDocument(recorded, path)]];
  }
  if (typeof document === "string") {
    const [before, mark, after] = document.split(MARK);
    const key = mark === undefined ? undefined : marks.get(MARK + mark + MARK);
    if (before === undefined || after === undefined || key === undefined) return [];
    const text = partOfDocument(recorded, path);
    if (typeof text !== "string" || !text.startsWith(before) || !text.endsWith(after)) return [];
    return [[key, text.slice(before.length, text.length - after.length)]];
  }
  if (Array.isArray(document))
    return document.flatMap((item, index) => toldIn(item, recorded, marks, [...path, index]));
  if (!isRecord(document)) return [];
  return Object.entries(document).flatMap(([name, part]) => toldIn(part, recorded, marks, [...path, name]));
}

/** Returns a mark for each key: a text that no service sends, or a number that the table takes. */
function marksOf({ keys, kind, schema, path, within }: TableSlot): ReadonlyMap<string | number, string> | undefined {
  if (kind === "text") return new Map(keys.map((key) => [MARK + [...path, key, ...within].join("/") + MARK, key]));
  if (!(schema instanceof z.ZodMiniNumber)) return undefined;
  // From the end of what it takes: a usual value may stand for something else, too.
  const { minimum, maximum } = boundsOf(schema);
  if (maximum - minimum < keys.length) return undefined;
  return new Map(keys.map((key, index) => [maximum - index, key]));
}

function boundsOf(schema: z.ZodMiniNumber): { readonly minimum: number; readonly maximum: number } {
  let minimum = 0;
  let maximum = Number.MAX_SAFE_INTEGER;
  for (const { _zod } of schema.def.checks ?? []) {
    const { check, value } = _zod.def as z.core.$ZodCheckGreaterThanDef | z.core.$ZodCheckLessThanDef;
    if (check === "greater_than") minimum = Number(value);
    if (check === "less_than") maximum = Number(value);
  }
  return { minimum, maximum };
}
