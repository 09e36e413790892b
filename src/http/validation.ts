import { z } from "zod";
import { fieldProblems } from "./problem.ts";
import type { FieldProblem } from "./problem.ts";

/** A value that was checked against a schema, with everything that was found. */
export interface Checked {
  /** The typed value; meaningless when there are errors. */
  readonly value: unknown;
  /** Every offending field with its path. */
  readonly errors: readonly FieldProblem[];
  /** The paths of fields that the schema does not name, which the service ignores or refuses. */
  readonly unknown: readonly string[];
}

export function check(schema: z.ZodType, value: unknown): Checked {
  const unknown: string[] = [];
  collectUnknown(schema, value, "", unknown);
  const parsed = schema.safeParse(value, { reportInput: true });
  const errors = parsed.success ? [] : parsed.error.issues.map(fieldProblemOf);
  return { value: parsed.data, errors, unknown };
}

export function unknownFieldProblems(paths: readonly string[]): FieldProblem[] {
  return fieldProblems(paths, "is not a field of this request");
}

function collectUnknown(schema: z.ZodType, value: unknown, prefix: string, unknown: string[]): void {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return;
  const shape = shapeOf(schema);
  if (shape === undefined) return;
  for (const [name, inner] of Object.entries(value)) {
    const field = Object.hasOwn(shape, name) ? shape[name] : undefined;
    if (field === undefined) unknown.push(prefix + name);
    else if (typeof inner === "object") collectUnknown(field, inner, `${prefix}${name}.`, unknown);
  }
}

type Shape = Readonly<Record<string, z.ZodType>>;

/** Remembered, because finding out what a schema is takes longer than reading its fields. */
const shapes = new WeakMap<z.ZodType, { readonly shape: Shape | undefined }>();

/** The fields that a schema names; undefined when it is not an object. */
function shapeOf(schema: z.ZodType): Shape | undefined {
  const known = shapes.get(schema);
  if (known !== undefined) return known.shape;
  const object = schema instanceof z.ZodOptional ? (schema.unwrap() as z.ZodType) : schema;
  const shape: Shape | undefined = object instanceof z.ZodObject ? object.shape : undefined;
  shapes.set(schema, { shape });
  return shape;
}

function fieldProblemOf({ path, code, input, message }: z.core.$ZodIssue): FieldProblem {
  const missing = code === "invalid_type" && input === undefined;
  return { path: path.join("."), message: missing ? "is required" : message };
}
