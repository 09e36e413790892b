import { partOf } from "../../kit/assumptions/template.ts";
import type { Json, Placeholders, Template } from "../../kit/assumptions/template.ts";
import type { JsonSchema } from "../../kit/declaration/description.ts";

/**
 * Describes the documents of a template as a JSON Schema, which allows no other member.
 * @param schemaOf returns the schema of what a placeholder stands for
 */
export function templateSchema(
  template: Template,
  known: Placeholders,
  schemaOf: (placeholder: string) => JsonSchema,
): JsonSchema {
  return describe(template);

  function describe(json: Json): JsonSchema {
    const part = partOf(json, known);
    switch (part.is) {
      case "placeholder":
        return schemaOf(part.name);
      case "text":
        return { type: "string" };
      case "value":
        return part.value === null ? { type: "null" } : { const: part.value };
      case "repeated":
        return { type: "array", items: describe(part.items[0] as Json) };
      case "list":
        return {
          type: "array",
          prefixItems: part.items.map(describe),
          minItems: part.items.length,
          maxItems: part.items.length,
        };
      case "object":
        return {
          type: "object",
          properties: Object.fromEntries(part.members.map(([name, member]) => [name, describe(member)])),
          required: part.members.filter(([, member]) => !isOptional(member)).map(([name]) => name),
          additionalProperties: false,
        };
    }
  }

  function isOptional(json: Json): boolean {
    const part = partOf(json, known);
    return part.is === "placeholder" && known.optional?.includes(part.name) === true;
  }
}
