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
  if (schema instanceof z.ZodMiniLiteral) return schema.def.values.map(json).join(", ");
  if (schema instanceof z.ZodMiniEnum) return schema.options.map(json).join(", ");
  if (schema instanceof z.ZodMiniUnion) return schema.def.options.map(inner).join(", ");
  if (schema instanceof z.ZodMiniObject) {
    const named = Object.entries(schema.shape).map(([name, property]) => `${inCode(name)} (${inner(property)})`);
    return `an object of ${named.join(", ")}`;
  }
  if (schema instanceof z.ZodMiniArray) return "a list of texts";
  if (schema instanceof z.ZodMiniNumber) {
    const { format, checks = [] } = schema.def as z.core.$ZodNumberFormatDef;
    return [format === "safeint" ? "a whole number" : "a number", ...checks.flatMap(boundsIn)].join(" ");
  }
  const { checks = [] } = (schema as z.ZodMiniString).def;
  const isText = checks.some(({ _zod }) => _zod.def.check === "string_format");
  return isText ? "a text" : `a length of time, such as ${json("30 minutes")}`;
}

function boundsIn({ _zod: { def } }: z.core.$ZodCheck): string[] {
  const { check, value } = def as z.core.$ZodCheckGreaterThanDef | z.core.$ZodCheckLessThanDef;
  if (check === "greater_than") return [`from ${String(value)}`];
  return check === "less_than" ? [`to ${String(value)}`] : [];
}
