import * as z from "zod/mini";
import { placeholdersOf } from "../kit/assumptions/template-schema.ts";
import type { Placeholders } from "../kit/assumptions/template.ts";
import { assumptionTable } from "../service/assumption-table.ts";
import type { ChangeableAssumptionId } from "../service/assumption-table.ts";

/** A row that can be changed. */
export interface Row {
  readonly id: ChangeableAssumptionId;
  readonly schema: z.ZodMiniType;
  readonly value: unknown;
}

/** Where a row's value holds something of one kind: the path within it. */
interface Place {
  readonly row: Row;
  readonly path: readonly string[];
}

/** A template in a row's value. */
export interface TemplateSlot extends Place {
  readonly known: Placeholders;
}

/** A table in a row's value: by key, a text or a number, or an object of them. */
export interface TableSlot extends Place {
  readonly keys: readonly string[];
  /** The path of the value within the entry of a key; empty where the entry is the value. */
  readonly within: readonly string[];
  readonly kind: "text" | "number";
  /** The schema of the value. */
  readonly schema: z.ZodMiniType;
}

/** The rows that can be changed, in the order of the table. */
export const rows: readonly Row[] = Object.entries(assumptionTable).flatMap(([id, row]): Row[] =>
  row.values === "fixed" ? [] : [{ id: id as ChangeableAssumptionId, schema: row.values, value: row.value }],
);

/** Returns the templates in a row's value. */
export function templatesOf(row: Row): readonly TemplateSlot[] {
  return find(row.schema, []);

  function find(given: z.ZodMiniType, path: readonly string[]): TemplateSlot[] {
    const schema = withoutOptional(given);
    const known = placeholdersOf(schema);
    if (known !== undefined) return [{ row, path, known }];
    return membersOf(schema).flatMap(([name, member]) => find(member, [...path, name]));
  }
}

/** Returns the tables in a row's value. */
export function tablesOf(row: Row): readonly TableSlot[] {
  return find(row.schema, []);

  function find(given: z.ZodMiniType, path: readonly string[]): TableSlot[] {
    const schema = withoutOptional(given);
    if (placeholdersOf(schema) !== undefined) return [];
    if (schema instanceof z.ZodMiniUnion)
      return schema.def.options.flatMap((option) => find(option as z.ZodMiniType, path));
    const keys = keysOf(schema);
    if (keys === undefined || !(schema instanceof z.ZodMiniRecord))
      return membersOf(schema).flatMap(([name, member]) => find(member, [...path, name]));
    return leavesOf(withoutOptional(schema.def.valueType as z.ZodMiniType), []).map(
      ({ within, kind, schema: leaf }) => ({ row, path, keys, within, kind, schema: leaf }),
    );
  }

  function leavesOf(
    schema: z.ZodMiniType,
    within: readonly string[],
  ): readonly Pick<TableSlot, "within" | "kind" | "schema">[] {
    if (placeholdersOf(schema) !== undefined) return [];
    if (schema instanceof z.ZodMiniString) return [{ within, kind: "text", schema }];
    if (schema instanceof z.ZodMiniNumber) return [{ within, kind: "number", schema }];
    if (!(schema instanceof z.ZodMiniObject)) return [];
    return membersOf(schema).flatMap(([name, member]) => leavesOf(withoutOptional(member), [...within, name]));
  }
}

/** Returns the schema of a value, without what lets it be left out. */
export function withoutOptional(schema: z.ZodMiniType): z.ZodMiniType {
  return schema instanceof z.ZodMiniOptional ? withoutOptional(schema.def.innerType as z.ZodMiniType) : schema;
}

/** Returns the members of an object, or of a record whose keys are listed. */
export function membersOf(schema: z.ZodMiniType): readonly (readonly [name: string, schema: z.ZodMiniType])[] {
  if (schema instanceof z.ZodMiniObject) return Object.entries(schema.shape as Readonly<Record<string, z.ZodMiniType>>);
  const keys = keysOf(schema);
  if (keys === undefined || !(schema instanceof z.ZodMiniRecord)) return [];
  return keys.map((key) => [key, schema.def.valueType as z.ZodMiniType]);
}

/** Returns the keys of a record, if they are listed. */
function keysOf(schema: z.ZodMiniType): readonly string[] | undefined {
  if (!(schema instanceof z.ZodMiniRecord)) return undefined;
  const { keyType } = schema.def;
  return keyType instanceof z.ZodMiniEnum ? keyType.options.map(String) : undefined;
}

/** Returns a value with a part of it replaced. */
export function withPart(value: unknown, [name, ...rest]: readonly string[], part: unknown): unknown {
  if (name === undefined) return part;
  const record = typeof value === "object" && value !== null ? (value as Readonly<Record<string, unknown>>) : {};
  return { ...record, [name]: withPart(Object.hasOwn(record, name) ? record[name] : undefined, rest, part) };
}
