import * as z from "zod/mini";

export type Check<Value = never> = z.core.$ZodCheck<Value>;

/** A bound of fields: its checks in the schema of a field, by how much the field may hold. */
interface Bound<Value> {
  readonly usual: number;
  readonly checksOf: (most: number) => readonly Check<Value>[];
  /** Its checks in the schemas as they are declared, by which they are found there. */
  readonly checks: readonly Check<Value>[];
}

function bound<Value>(usual: number, checksOf: Bound<Value>["checksOf"]): Bound<Value> {
  return { usual, checksOf, checks: checksOf(usual) };
}

function textUpTo(most: number): readonly Check<string>[] {
  return [
    z.refine((value: string) => hasAtMost(most, value), `must have at most ${most} characters`),
    z.meta({ maxLength: most }),
  ];
}

/** The bounds of fields (`http.bounds`). */
export const bounds = {
  /** Centavos. */
  amount: bound<number>(99_999_999_999, (most) => [z.maximum(most)]),
  /** Characters of a text. */
  text: bound<string>(1000, textUpTo),
  /** Characters of a URL. */
  url: bound<string>(2048, textUpTo),
  /** Keys of `metadata`. */
  metadataKeys: bound<Readonly<Record<string, unknown>>>(50, (most) => [
    z.refine(
      (value: Readonly<Record<string, unknown>>) => Object.keys(value).length <= most,
      `must have at most ${most} keys`,
    ),
    z.meta({ maxProperties: most }),
  ]),
  /** Characters of a value of `metadata`, as text. */
  metadataValue: bound<Readonly<Record<string, unknown>>>(500, (most) => [
    z.refine(
      (value: Readonly<Record<string, unknown>>) =>
        Object.values(value).every((entry) =>
          hasAtMost(most, typeof entry === "string" ? entry : JSON.stringify(entry)),
        ),
      `must have values of at most ${most} characters as text`,
    ),
    z.meta({
      additionalProperties: {
        anyOf: [
          { type: "string", maxLength: most },
          { type: ["number", "boolean", "null"] },
          { type: ["array", "object"], description: `At most ${most} characters as JSON` },
        ],
      },
    }),
  ]),
} as const;

export type BoundName = keyof typeof bounds;
/** How much fields may hold, where it is less than usual. */
export type FieldBounds = { readonly [Name in BoundName]?: number | undefined };

/**
 * Returns a schema with these bounds in place of the usual ones; the schema itself where it has none of them.
 * @param others further checks, each with those that take its place
 */
export function boundedBy<Schema extends z.ZodMiniType>(
  schema: Schema,
  given: FieldBounds,
  others: ReadonlyMap<unknown, readonly Check[]> = new Map(),
): Schema {
  const replaced = new Map<unknown, readonly Check[]>(
    (Object.entries(bounds) as [BoundName, Bound<never>][]).flatMap(([name, { checks, checksOf }]) => {
      const most = given[name];
      const narrower = most === undefined ? [] : checksOf(most);
      return narrower.map((other, index) => [checks[index], [other]] as const);
    }),
  );
  for (const [check, instead] of others) replaced.set(check, instead);
  return replaced.size === 0 ? schema : (rebuilt(schema, replaced) as Schema);
}

function rebuilt(schema: z.ZodMiniType, replaced: ReadonlyMap<unknown, readonly Check[]>): z.ZodMiniType {
  const { checks = [] } = schema.def;
  const own = checks.some((check) => replaced.has(check))
    ? { checks: checks.flatMap((check) => replaced.get(check) ?? [check]) }
    : {};
  const changed = { ...own, ...partsOf(schema, replaced) };
  return Object.keys(changed).length === 0 ? schema : z.clone(schema, { ...schema.def, ...changed });
}

/** Returns the parts of a schema that have other bounds. */
function partsOf(schema: z.ZodMiniType, replaced: ReadonlyMap<unknown, readonly Check[]>): object {
  if (schema instanceof z.ZodMiniOptional) {
    const innerType = schema.def.innerType as z.ZodMiniType;
    const inner = rebuilt(innerType, replaced);
    return inner === innerType ? {} : { innerType: inner };
  }
  if (!(schema instanceof z.ZodMiniObject)) return {};
  const members = Object.entries(schema.shape as Readonly<Record<string, z.ZodMiniType>>);
  const others = members.map(([name, member]) => [name, rebuilt(member, replaced)] as const);
  return others.every(([, member], index) => member === members[index]?.[1])
    ? {}
    : { shape: Object.fromEntries(others) };
}

/** Counts code points, as JSON Schema does, where a string of JavaScript counts halves. */
function hasAtMost(most: number, value: string): boolean {
  return value.length <= most || (value.length <= 2 * most && Array.from(value).length <= most);
}
