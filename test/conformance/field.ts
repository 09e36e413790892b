import type * as z from "zod/mini";
import { assumed } from "./verdict.ts";
import type { Verdict } from "./verdict.ts";

/** A field of parts 2, 4 or 6, or one of Centavo's own that an assumption calls for. */
export interface Field {
  readonly path: string;
  readonly type: "string" | "number" | "boolean" | "object" | "array";
  /** Whether the document requires it, or says that it may be absent; undefined if it says neither. */
  readonly required?: boolean;
  readonly verdict: Verdict;
  /** The title of the shape that an object has; its fields are tested here and shown there. */
  readonly like?: string;
  /** Whether it stands in an object that is like another shape. */
  readonly shownElsewhere?: true;
}

/** One table of fields, and the schema in which they have to be, with no others. */
export interface Shape {
  readonly part: string;
  readonly title: string;
  readonly schema: z.ZodMiniType;
  readonly fields: readonly Field[];
}

export type Rule = { readonly required?: boolean; readonly verdict?: Verdict };

export const required: Rule = { required: true };
export const optional: Rule = { required: false };

/** The rule of a field that the document does not have or does not explain. */
export const open = (...ids: Parameters<typeof assumed>): Rule => ({ verdict: assumed(...ids) });

export function field(
  path: string,
  type: Field["type"],
  { required: isRequired, verdict = "supported" }: Rule = {},
): Field {
  return { path, type, ...(isRequired === undefined ? {} : { required: isRequired }), verdict };
}

/** Several fields of one type and rule. */
export function fields(type: Field["type"], paths: string, rule?: Rule): Field[] {
  return paths.split(" ").map((path) => field(path, type, rule));
}

/** An object's own row, and its fields below it. */
export function nested(path: string, rule: Rule, below: readonly Field[]): Field[] {
  return [field(path, "object", rule), ...below.map((inner) => under(path, inner))];
}

/** An object whose fields have a separate table. */
export function nestedLike(like: string, path: string, rule: Rule, below: readonly Field[]): Field[] {
  const own: Field = { ...field(path, "object", rule), like };
  return [own, ...below.map((inner): Field => under(path, inner, { shownElsewhere: true }))];
}

function under(path: string, inner: Field, more: Pick<Field, "shownElsewhere"> = {}): Field {
  return { ...inner, ...more, path: `${path}.${inner.path}` };
}
