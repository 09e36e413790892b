import * as z from "zod/mini";
import type { JsonSchema } from "../../kit/declaration/description.ts";

/**
 * A value that passes as it is. The simulator itself checks what it is given, so that a wrong value gets the simulator's own error, with
 * the nearest right name; what it answers needs no check.
 * @param schema describes the value in the OpenAPI document alone
 */
export function asIs<Value>(schema: JsonSchema): z.ZodMiniType<Value, Value> {
  return z.unknown().register(z.globalRegistry, schema) as unknown as z.ZodMiniType<Value, Value>;
}

export const aText = { type: "string" } as const;
/** Any further fields may follow those that are described. */
export const anObject = { type: "object", additionalProperties: true } as const;
