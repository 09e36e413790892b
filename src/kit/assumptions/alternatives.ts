import * as z from "zod/mini";
import type { Choice } from "./entry.ts";

/** Another value that an open question may have in the real service. */
export interface Alternative {
  readonly value: unknown;
  /** What of the default it replaces, such as `402 for declines`, where it does not replace all of it. */
  readonly insteadOf?: string;
}

/**
 * Returns the other values of an assumption that are worth a try: all that its schema lists, and those that its row declares, each once and
 * never the default.
 */
export function alternativesOf({ values, value, alternatives = [] }: Choice): readonly Alternative[] {
  const declared: readonly Alternative[] = isList(alternatives)
    ? alternatives.map((each) => ({ value: each }))
    : Object.entries(alternatives).map(([insteadOf, each]) => ({ value: each, insteadOf }));
  const listed = listedBy(values, value).map((each) => ({ value: each }));
  const seen = new Set([JSON.stringify(value)]);
  return [...listed, ...declared].filter((each) => {
    const written = JSON.stringify(each.value);
    return !seen.has(written) && seen.add(written);
  });
}

function isList(alternatives: NonNullable<Choice["alternatives"]>): alternatives is readonly unknown[] {
  return Array.isArray(alternatives);
}

/**
 * Returns the values that a schema lists one by one. An object is one of them for each value of each of its members, beside the default of
 * the others.
 */
function listedBy(schema: unknown, value: unknown): readonly unknown[] {
  if (schema instanceof z.ZodMiniEnum) return schema.options;
  if (schema instanceof z.ZodMiniLiteral) return schema.def.values;
  if (schema instanceof z.ZodMiniBoolean) return [true, false];
  if (schema instanceof z.ZodMiniUnion) return schema.def.options.flatMap((option) => listedBy(option, value));
  if (!(schema instanceof z.ZodMiniObject) || typeof value !== "object" || value === null) return [];
  return Object.entries(schema.shape as Readonly<Record<string, unknown>>).flatMap(([name, member]) =>
    listedBy(member, (value as Readonly<Record<string, unknown>>)[name]).map((each) =>
      Object.assign({}, value, { [name]: each }),
    ),
  );
}
