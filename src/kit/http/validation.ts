import * as z from "zod/mini";
import { asPredicate } from "../base/errors/english.ts";
import type { Given } from "./body.ts";
import { fieldProblems } from "./problem.ts";
import type { FieldProblem } from "./problem.ts";

/** A value that was checked against a schema, with everything that was found. */
export interface Checked {
  /** The typed value; when there are errors, the fields in which there are none. */
  readonly value: unknown;
  /** Every offending field with its path. */
  readonly errors: readonly FieldProblem[];
  /** The paths of fields that the schema does not name, which the service ignores or refuses. */
  readonly unknown: readonly string[];
}

export function check(schema: z.ZodMiniType, { value, repeated }: Given): Checked {
  const unknown: string[] = [];
  collectUnknown(schema, value, "", unknown);
  const parsed = schema.safeParse(value, asPredicate);
  if (parsed.success && repeated.length === 0) return { value: parsed.data, errors: [], unknown };
  const ambiguous = repeated.filter((name) => !unknown.includes(name));
  const errors = [
    ...fieldProblems(ambiguous, "is given more than once"),
    ...(parsed.success ? [] : parsed.error.issues.map(fieldProblemOf)),
  ];
  return { value: errors.length === 0 ? parsed.data : soundFields(schema, value, errors), errors, unknown };
}

/** Returns the typed fields of an object that no error is about. */
function soundFields(schema: z.ZodMiniType, value: unknown, errors: readonly FieldProblem[]): object {
  if (typeof value !== "object" || value === null) return {};
  const refused = new Set(errors.map(({ path }) => path.split(".", 1)[0]));
  const given = Object.entries(shapeOf(schema) ?? {}).filter(
    ([name]) => Object.hasOwn(value, name) && !refused.has(name),
  );
  return Object.fromEntries(
    given.map(([name, field]) => [name, field.parse((value as Record<string, unknown>)[name])]),
  );
}

export function unknownFieldProblems(paths: readonly string[]): FieldProblem[] {
  return fieldProblems(paths, "is not a field of this request");
}

function collectUnknown(schema: z.ZodMiniType, value: unknown, prefix: string, unknown: string[]): void {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return;
  const shape = shapeOf(schema);
  if (shape === undefined) return;
  for (const [name, inner] of Object.entries(value)) {
    const field = Object.hasOwn(shape, name) ? shape[name] : undefined;
    if (field === undefined) unknown.push(prefix + name);
    else if (typeof inner === "object") collectUnknown(field, inner, `${prefix}${name}.`, unknown);
  }
}

type Shape = Readonly<Record<string, z.ZodMiniType>>;

/** The fields that a schema names; undefined when it is not an object. */
export function shapeOf(schema: z.ZodMiniType): Shape | undefined {
  const object = schema instanceof z.ZodMiniOptional ? schema.def.innerType : schema;
  return object instanceof z.ZodMiniObject ? (object.shape as Shape) : undefined;
}

/** The names of the fields that a schema names, those of its objects included. */
export function fieldsIn(schema: z.ZodMiniType): readonly string[] {
  const shape = shapeOf(schema) ?? {};
  return [...Object.keys(shape), ...Object.values(shape).flatMap(fieldsIn)];
}

function fieldProblemOf({ path, message }: z.core.$ZodIssue): FieldProblem {
  return { path: path.join("."), message };
}
