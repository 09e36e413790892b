import { z } from "zod";
import { schemaAddress } from "../declaration/description.ts";
import type { JsonSchema } from "../declaration/description.ts";
import type { DeclaredWords } from "../declaration/resource.ts";
import { routesIn } from "../declaration/service.ts";
import type { Service } from "../declaration/service.ts";

/** A webhook of the document: the events of one resource. */
export interface Webhook {
  readonly name: string;
  /** Where its body is found among the schemas: `payment_intent` gives `PaymentIntentEvent`. */
  readonly component: string;
  readonly summary: string;
  readonly schema: z.ZodType;
}

/** The webhooks of the resources, by name. */
export function webhooksIn<Words extends DeclaredWords>({ resources }: Pick<Service<Words>, "resources">): Webhook[] {
  const webhooks = resources.flatMap(({ events }): Webhook[] =>
    events === undefined ? [] : [{ ...events, component: `${pascalCase(events.name)}Event` }],
  );
  return webhooks.toSorted((left, right) => (left.name < right.name ? -1 : 1));
}

const TIMESTAMP_PATTERN = String.raw`^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$`;

/** How zod schemas are written: what zod cannot represent says what it is by its metadata; bounds that every integer has are left out, and timestamps are made readable. */
const manner = {
  unrepresentable: "any",
  override({ jsonSchema }: { jsonSchema: z.core.JSONSchema.BaseSchema }): void {
    if (jsonSchema.minimum === Number.MIN_SAFE_INTEGER) delete jsonSchema.minimum;
    if (jsonSchema.maximum === Number.MAX_SAFE_INTEGER) delete jsonSchema.maximum;
    if (jsonSchema.format === "date-time") jsonSchema.pattern = TIMESTAMP_PATTERN;
  },
} as const;

/** The document's schemas, and where each zod schema of a route is found among them. */
export interface Components {
  readonly schemas: Readonly<Record<string, JsonSchema>>;
  reference(schema: z.ZodType): JsonSchema;
}

/** Everything that routes send and answer as named schemas: `payment-intent.create` gives `PaymentIntentCreateRequest` and `PaymentIntentCreateData`. */
export function componentsOf<Words extends DeclaredWords>(service: Service<Words>): Components {
  const { answered, sent, parts } = service.description;
  const requests = new Map<z.ZodType, string>();
  const answers = new Map<z.ZodType, string>();
  const add = (names: Map<z.ZodType, string>, schema: z.ZodType | undefined, name: string): void => {
    if (schema !== undefined && !names.has(schema)) names.set(schema, name);
  };
  for (const [name, schema] of Object.entries(sent)) add(requests, schema, name);
  for (const [name, schema] of Object.entries(answered)) add(answers, schema, name);
  for (const { component, schema } of webhooksIn(service)) add(answers, schema, component);
  for (const { name, body, data, plain } of routesIn(service)) {
    const prefix = pascalCase(name);
    add(requests, body, `${prefix}Request`);
    add(answers, data, `${prefix}Data`);
    add(answers, plain, `${prefix}Answer`);
  }
  return {
    schemas: { ...toSchemas(requests, "input", parts), ...toSchemas(answers, "output", parts) },
    reference: (schema) => ({ $ref: schemaAddress(requests.get(schema) ?? answers.get(schema) ?? "") }),
  };
}

/** One zod schema on its own, as a client may send it. */
export function toJsonSchema(schema: z.ZodType): JsonSchema {
  return withoutIdentity(z.toJSONSchema(schema, { io: "input", ...manner }));
}

export function pascalCase(name: string): string {
  return name.replaceAll(/(?:^|[^A-Za-z0-9]+)([A-Za-z0-9])/g, (_, letter: string) => letter.toUpperCase());
}

// What is answered is closed, so that a field nobody declared is a contradiction; what is sent is open (`http.unknown-fields`).
function toSchemas(
  names: ReadonlyMap<z.ZodType, string>,
  io: "input" | "output",
  parts: readonly z.ZodType[],
): Record<string, JsonSchema> {
  const registry = z.registry<{ id: string }>();
  for (const [schema, id] of names) registry.add(schema, { id });
  const open = new Set<unknown>(parts);
  const { schemas } = z.toJSONSchema(registry, {
    ...manner,
    io,
    uri: schemaAddress,
    override(context) {
      if (open.has(context.zodSchema)) delete context.jsonSchema.additionalProperties;
      manner.override(context);
    },
  });
  return Object.fromEntries(Object.entries(schemas).map(([name, schema]) => [name, withoutIdentity(schema)]));
}

function withoutIdentity(schema: JsonSchema): JsonSchema {
  const { $schema: _schema, $id: _id, "~standard": _standard, ...rest } = schema;
  return rest;
}
