import * as z from "zod/mini";
import type { Choice, FixedAnswer } from "./entry.ts";

interface ValueSchema {
  readonly const?: unknown;
  readonly enum?: readonly unknown[];
  readonly anyOf?: readonly ValueSchema[];
  readonly type?: string;
  readonly pattern?: string;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly properties?: Readonly<Record<string, ValueSchema>>;
  readonly items?: ValueSchema;
}

/**
 * Describes the values that an assumption takes, such as `"ignore", "refuse"`; `fixed` when it takes none.
 * @param inCode marks what is code, for pages
 */
export function valuesInWords(
  { values }: Choice | FixedAnswer,
  inCode: (text: string) => string = (text) => text,
): string {
  if (values === "fixed") return values;
  return describe(z.toJSONSchema(values, { unrepresentable: "any" }) as ValueSchema, inCode);
}

function describe(schema: ValueSchema, inCode: (text: string) => string): string {
  const { const: only, enum: choices, anyOf, type, pattern, properties, items, minimum, maximum } = schema;
  const json = (value: unknown): string => inCode(JSON.stringify(value));
  const inner = (part: ValueSchema): string => describe(part, inCode);
  if (only !== undefined) return json(only);
  if (choices !== undefined) return choices.map(json).join(", ");
  if (anyOf !== undefined) return anyOf.map(inner).join(", ");
  if (properties !== undefined) {
    const named = Object.entries(properties).map(([name, property]) => `${inCode(name)} (${inner(property)})`);
    return `an object of ${named.join(", ")}`;
  }
  if (items !== undefined) return "a list of texts";
  if (type === "string") return pattern === undefined ? `a length of time, such as ${json("30 minutes")}` : "a text";
  const from = minimum === undefined ? "" : ` from ${minimum}`;
  const to = maximum === undefined || maximum > 1e9 ? "" : ` to ${maximum}`;
  return `${type === "integer" ? "a whole number" : "a number"}${from}${to}`;
}
