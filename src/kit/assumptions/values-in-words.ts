import * as z from "zod/mini";
import type { Choice, FixedAnswer } from "./entry.ts";

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
    const named = Object.entries(schema.shape).map(([name, property]) => `${inCode(name)} (${inner(property)})`);
    return `an object of ${named.join(", ")}`;
  }
  if (schema instanceof z.ZodMiniArray) return describeList(schema, inCode);
  if (schema instanceof z.ZodMiniTuple) return describeTuple(schema, inCode);
  if (schema instanceof z.ZodMiniNumber) {
    const { format, checks = [] } = schema.def as z.core.$ZodNumberFormatDef;
    return [format === "safeint" ? "a whole number" : "a number", ...checks.flatMap(boundsIn)].join(" ");
  }
  return isDuration(schema) ? `a length of time, such as ${json("30 minutes")}` : "a text";
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

/** The table has no other text that is checked by more than its format. */
function isDuration(schema: unknown): boolean {
  if (!(schema instanceof z.ZodMiniString)) return false;
  const { checks = [] } = schema.def;
  return !checks.some(({ _zod }) => _zod.def.check === "string_format");
}

function boundsIn({ _zod: { def } }: z.core.$ZodCheck): string[] {
  const { check, value } = def as z.core.$ZodCheckGreaterThanDef | z.core.$ZodCheckLessThanDef;
  if (check === "greater_than") return [`from ${String(value)}`];
  return check === "less_than" ? [`to ${String(value)}`] : [];
}
