import { z } from "zod";
import { routesIn } from "../declaration/service.ts";
import type { Service } from "../declaration/service.ts";
import type { PaymentTerms } from "../service/resource.ts";
import { checkoutStatus } from "../service/checkout/schema.ts";
import { errorTable } from "../service/error-table.ts";
import { confirmation, intentContact, intentStatus, nextAction } from "../service/payment-intents/schema.ts";
import { cardDetails, paymentMethodSummary } from "../service/payment-methods/schema.ts";
import { invoiceStatus, invoiceView, planView, subscriptionStatus } from "../service/subscriptions/schema.ts";

/** A JSON Schema of draft 2020-12, which is what OpenAPI 3.1 uses. */
export type JsonSchema = Readonly<Record<string, unknown>>;

/** What the document is derived from: the routes and events of a list of resources. */
export type Declared = Pick<Service<PaymentTerms>, "resources">;

/** A webhook of the document: the events of one resource. */
export interface Webhook {
  readonly name: string;
  /** Where its body is found among the schemas: `payment_intent` gives `PaymentIntentEvent`. */
  readonly component: string;
  readonly summary: string;
  readonly schema: z.ZodType;
}

/** The webhooks of the resources, by name. */
export function webhooksIn({ resources }: Declared): Webhook[] {
  const webhooks = resources.flatMap(({ events }): Webhook[] =>
    events === undefined ? [] : [{ ...events, component: `${pascalCase(events.name)}Event` }],
  );
  return webhooks.toSorted((left, right) => (left.name < right.name ? -1 : 1));
}

const fieldError = z.object({
  path: z.string().meta({ description: "The field's name, nested with dots; empty for the body as a whole" }),
  message: z.string(),
  code: z.string().meta({ examples: ["validation_error"] }),
});

/** What every error says (part 7, `http.error-body`); an answer closes it, because some errors say more. */
const error = z.object({
  success: z.literal(false),
  message: z.string(),
  code: z.enum(Object.keys(errorTable)),
  errors: z.array(fieldError),
});

/** What `3D_SECURE_REQUIRED` says beside that while a challenge is open (`intent.challenge-error`). */
const openChallenge = confirmation.pick({ requiresAction: true, redirectUrl: true, nextAction: true }).partial();

const answered = {
  Error: error,
  FieldError: fieldError,
  OpenChallenge: openChallenge,
  PaymentIntentStatus: intentStatus,
  CheckoutStatus: checkoutStatus,
  NextAction: nextAction,
  PaymentMethod: paymentMethodSummary,
  SubscriptionStatus: subscriptionStatus,
  InvoiceStatus: invoiceStatus,
  Plan: planView,
  Invoice: invoiceView,
};
const sent = { CardDetails: cardDetails, Contact: intentContact };

const TIMESTAMP_PATTERN = String.raw`^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$`;

/** Schemas that an answer puts together with others, and closes itself. */
const parts = new Set<unknown>([error, openChallenge]);

/** What zod cannot represent says what it is by its metadata; bounds that every integer has are left out, and timestamps are made readable. */
const manner = {
  unrepresentable: "any",
  override({ zodSchema, jsonSchema }: { zodSchema: unknown; jsonSchema: z.core.JSONSchema.BaseSchema }): void {
    if (parts.has(zodSchema)) delete jsonSchema.additionalProperties;
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
export function componentsOf(service: Declared): Components {
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
    schemas: { ...toSchemas(requests, "input"), ...toSchemas(answers, "output") },
    reference: (schema) => ({ $ref: addressOf(requests.get(schema) ?? answers.get(schema) ?? "") }),
  };
}

/** One zod schema on its own, as a client may send it. */
export function toJsonSchema(schema: z.ZodType): JsonSchema {
  return withoutIdentity(z.toJSONSchema(schema, { io: "input", ...manner }));
}

export function addressOf(component: string): string {
  return `#/components/schemas/${component}`;
}

export function pascalCase(name: string): string {
  return name.replaceAll(/(?:^|[^A-Za-z0-9]+)([A-Za-z0-9])/g, (_, letter: string) => letter.toUpperCase());
}

// What is answered is closed, so that a field nobody declared is a contradiction; what is sent is open (`http.unknown-fields`).
function toSchemas(names: ReadonlyMap<z.ZodType, string>, io: "input" | "output"): Record<string, JsonSchema> {
  const registry = z.registry<{ id: string }>();
  for (const [schema, id] of names) registry.add(schema, { id });
  const { schemas } = z.toJSONSchema(registry, { io, ...manner, uri: addressOf });
  return Object.fromEntries(Object.entries(schemas).map(([name, schema]) => [name, withoutIdentity(schema)]));
}

function withoutIdentity(schema: JsonSchema): JsonSchema {
  const { $schema: _schema, $id: _id, "~standard": _standard, ...rest } = schema;
  return rest;
}
