import * as z from "zod/mini";
import { LAST_MOMENT } from "./timestamp.ts";

/** An id, a key, or another text. */
export const anyText = z.string();

export const textIfAny = z.optional(anyText);

/** Milliseconds since 1970-01-01T00:00:00Z. */
export const moment = z.int().check(z.minimum(-LAST_MOMENT), z.maximum(LAST_MOMENT));

/** A number that only grows. Its bound is far below the largest safe integer, so that it can keep growing. */
export const count = z.int().check(z.minimum(0), z.maximum(2 ** 52));

/** The longest time between two moments in rows, in milliseconds: a millennium. */
const LONGEST = 366_000 * 86_400_000;

/** A length of time in milliseconds. */
export const timeSpan = z.int().check(z.minimum(0), z.maximum(LONGEST));

/** A sum of time spans, or a time span into the past. */
export const timeShift = z.int().check(z.minimum(-LONGEST), z.maximum(LONGEST));

/**
 * Returns a function that makes the schema of an object from the schemas of its fields. It does not compile unless every field, optional
 * ones included, has a schema. The schemas are made when the first object is checked, because most tests never restore a snapshot.
 * @example
 * const parcel = shapeOf<Parcel>()(() => ({ label: z.string(), weight: z.optional(count) }));
 */
export function shapeOf<Value extends object>() {
  return (fields: () => { readonly [Field in keyof Value]-?: z.ZodMiniType<Value[Field]> }): z.ZodMiniType<Value> =>
    z.lazy(() => z.strictObject(fields()) as unknown as z.ZodMiniType<Value>);
}
