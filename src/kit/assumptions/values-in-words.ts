import * as z from "zod/mini";
import type { Choice, FixedAnswer } from "./entry.ts";

/** An object of so many members, none of which is required, is described as a table. */
const TABLE = 10;

/** The title by which the schema of a length of time says what it is. */
export const DURATION = "a length of time";

/**
 * Describes the values that an assumption takes, such as `"ignore", "refuse"`; `fixed` when it takes none.
 * @param inCode marks what is code, for pages
 */
export function valuesInWords(
  { values }: Choice | FixedAnswer,
  inCode: (text: string) => string = (text) => text,
): string {
  if (values === "fixed") return values;
  return describe(values, inCode);
}

function describe(schema: unknown, inCode: (text: string) => string): string {
  const json = (value: unknown): string => inCode(JSON.stringify(value));
  const inner = (part: unknown): string => describe(part, inCode);
  const own = z.globalRegistry.get(schema as z.ZodMiniType)?.description;
  if (own !== undefined) return own;
  if (schema instanceof z.ZodMiniOptional) return inner(schema.def.innerType);
  if (schema instanceof z.ZodMiniRecord) {
    const [example = ""] = schema.def.keyType instanceof z.ZodMiniEnum ? schema.def.keyType.options : [];
    return `an object by name, such as ${inCode(String(example))}, of ${inner(schema.def.valueType)}`;
  }
  if (schema instanceof z.ZodMiniLiteral) return schema.def.values.map(json).join(", ");
  if (schema instanceof z.ZodMiniEnum) return schema.options.map(json).join(", ");
  if (schema instanceof z.ZodMiniUnion) return schema.def.options.map(inner).join(", ");
  if (schema instanceof z.ZodMiniObject) {
    const members = Object.entries(schema.shape);
    const [first] = members;
    if (
      first !== undefined &&
      members.length >= TABLE &&
      members.every(([, each]) => each instanceof z.ZodMiniOptional)
    )
      return `an object by name, such as ${inCode(first[0])}, of ${inner(first[1])}`;
    const named = members.map(([name, property]) => `${inCode(name)} (${inner(property)})`);
    return `an object of ${named.join(", ")}`;
  }
  if (schema instanceof z.ZodMiniArray) return describeList(schema, inCode);
  if (schema instanceof z.ZodMiniTuple) return describeTuple(schema, inCode);
  if (schema instanceof z.ZodMiniNumber) {
    const { format, checks = [] } = schema.def as z.core.$ZodNumberFormatDef;
    return [format === "safeint" ? "a whole number" : "a number", ...checks.flatMap(boundsIn)].join(" ");
  }
  return textInWords(schema, json);
}

function describeList({ def: { element, checks = [] } }: z.ZodMiniArray, inCode: (text: string) => string): string {
  if (element instanceof z.ZodMiniEnum) return `a list of ${describe(element, inCode)}`;
  const limit = checks.map(({ _zod }) => (_zod.def as Partial<z.core.$ZodCheckMaxLengthDef>).maximum).find(Number);
  const most = limit === undefined ? "" : `at most ${limit} `;
  return isDuration(element) ? `a list of ${most}lengths of time${anExample(inCode)}` : `a list of ${most}texts`;
}

/** Describes a list of lengths of time whose number is fixed. */
function describeTuple({ def: { items } }: z.ZodMiniTuple, inCode: (text: string) => string): string {
  return `a list of ${items.length} lengths of time${anExample(inCode)}`;
}

function anExample(inCode: (text: string) => string): string {
  return `, such as ${inCode('["1 minute", "2 hours"]')}`;
}

/** A text may say what it is by a title, such as `a path`, and an example. */
function textInWords(schema: unknown, json: (value: unknown) => string): string {
  const { title = "a text", examples } = z.globalRegistry.get(schema as z.ZodMiniType) ?? {};
  const [example] = Array.isArray(examples) ? (examples as readonly unknown[]) : [];
  return example === undefined ? title : `${title}, such as ${json(example)}`;
}

function isDuration(schema: unknown): boolean {
  return z.globalRegistry.get(schema as z.ZodMiniType)?.title === DURATION;
}

function boundsIn({ _zod: { def } }: z.core.$ZodCheck): string[] {
  const { check, value } = def as z.core.$ZodCheckGreaterThanDef | z.core.$ZodCheckLessThanDef;
  if (check === "greater_than") return [`from ${String(value)}`];
  return check === "less_than" ? [`to ${String(value)}`] : [];
}
