import * as z from "zod/mini";
import { schemaAddress } from "../kit/declaration/description.ts";
import type { Description, JsonSchema } from "../kit/declaration/description.ts";
import { conversion, withoutIdentity } from "../kit/declaration/json-schema.ts";
import type { DeclaredWords } from "../kit/declaration/resource.ts";
import type { AnyRoute } from "../kit/http/route.ts";
import type { DefinedService, ServiceDeclaration } from "../kit/declaration/define-service.ts";

/** A webhook of the document, which covers the events of one resource. */
export interface Webhook {
  readonly name: string;
  /** The name of its body's schema: `payment_intent` gives `PaymentIntentEvent`. */
  readonly component: string;
  readonly summary: string;
  readonly schema: z.ZodMiniType;
}

/** Returns the webhooks of the resources, sorted by name. */
export function webhooksIn<Words extends DeclaredWords>({
  resources,
}: Pick<ServiceDeclaration<Words>, "resources">): Webhook[] {
  const webhooks = resources.flatMap(({ events }): Webhook[] =>
    events === undefined ? [] : [{ ...events, component: `${pascalCase(events.name)}Event` }],
  );
  return webhooks.toSorted((left, right) => (left.name < right.name ? -1 : 1));
}

const TIMESTAMP_PATTERN = String.raw`^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$`;

/** The document's schemas, and a reference to each. */
export interface Components {
  readonly schemas: Readonly<Record<string, JsonSchema>>;
  reference(schema: z.ZodMiniType): JsonSchema;
}

/** Names the schemas of all requests and answers: `payment-intent.create` gives `PaymentIntentCreateRequest` and `PaymentIntentCreateData`. */
export function componentsOf<Words extends DeclaredWords>(
  service: DefinedService<Words>,
  description: Description<Words>,
  routes: readonly AnyRoute[],
): Components {
  const { answered, sent } = description;
  const requests = new Map<z.ZodMiniType, string>();
  const answers = new Map<z.ZodMiniType, string>();
  const add = (names: Map<z.ZodMiniType, string>, schema: z.ZodMiniType | undefined, name: string): void => {
    if (schema !== undefined && !names.has(schema)) names.set(schema, name);
  };
  for (const [name, schema] of Object.entries(sent)) add(requests, schema, name);
  for (const [name, schema] of Object.entries(answered)) add(answers, schema, name);
  for (const { component, schema } of webhooksIn(service)) add(answers, schema, component);
  for (const { name, body, data, plain } of routes) {
    const prefix = pascalCase(name);
    add(requests, body, `${prefix}Request`);
    add(answers, data, `${prefix}Data`);
    add(answers, plain, `${prefix}Answer`);
  }
  return {
    schemas: { ...toSchemas(requests, "input", description), ...toSchemas(answers, "output", description) },
    reference: (schema) => ({ $ref: schemaAddress(requests.get(schema) ?? answers.get(schema) ?? "") }),
  };
}

export function pascalCase(name: string): string {
  return name.replaceAll(/(?:^|(?<![^A-Za-z0-9])[^A-Za-z0-9]+)([A-Za-z0-9])/g, (_, letter: string) =>
    letter.toUpperCase(),
  );
}

// Schemas of answers are closed, so that an undeclared field fails validation. Schemas of requests are open where unknown fields are ignored.
function toSchemas(
  names: ReadonlyMap<z.ZodMiniType, string>,
  io: "input" | "output",
  { parts, closedRequests, narrowed }: Pick<Description, "parts" | "closedRequests" | "narrowed">,
): Record<string, JsonSchema> {
  const registry = z.registry<{ id: string }>();
  for (const [schema, id] of names) registry.add(schema, { id });
  const open = new Set<unknown>(parts);
  const { schemas } = z.toJSONSchema(registry, {
    ...conversion,
    io,
    uri: schemaAddress,
    override(context) {
      const { checks = [] } = context.zodSchema._zod.def;
      for (const [of, narrow] of narrowed)
        if (Object.is(of, context.zodSchema) || checks.some((check) => Object.is(of, check)))
          narrow(context.jsonSchema as Record<string, unknown>);
      if (open.has(context.zodSchema)) delete context.jsonSchema.additionalProperties;
      if (io === "input" && closedRequests && context.zodSchema._zod.def.type === "object")
        context.jsonSchema.additionalProperties = false;
      // The service writes times in one form only.
      if (io === "output" && context.jsonSchema.format === "date-time") context.jsonSchema.pattern = TIMESTAMP_PATTERN;
      conversion.override(context);
    },
  });
  return Object.fromEntries(Object.entries(schemas).map(([name, schema]) => [name, withoutIdentity(schema)]));
}
