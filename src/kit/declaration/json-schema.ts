import * as z from "zod/mini";
import type { JsonSchema } from "./description.ts";

/** Options for zod: allows schemas that JSON Schema cannot express, and omits the bounds that every integer has. */
export const conversion = {
  unrepresentable: "any",
  override({ jsonSchema }: { jsonSchema: z.core.JSONSchema.BaseSchema }): void {
    if (jsonSchema.minimum === Number.MIN_SAFE_INTEGER) delete jsonSchema.minimum;
    if (jsonSchema.maximum === Number.MAX_SAFE_INTEGER) delete jsonSchema.maximum;
  },
} as const;

/** Converts a single zod schema of a request. */
export function toJsonSchema(schema: z.ZodMiniType): JsonSchema {
  return withoutIdentity(z.toJSONSchema(schema, { io: "input", ...conversion }));
}

/** Leaves out where a schema comes from. */
export function withoutIdentity(schema: JsonSchema): JsonSchema {
  const { $schema: _schema, $id: _id, "~standard": _standard, ...rest } = schema;
  return rest;
}
