import * as z from "zod/mini";
import type { DeclaredDescription, JsonSchema } from "../../kit/declaration/description.ts";
import { toJsonSchema } from "../../kit/declaration/json-schema.ts";
import type { Assumptions } from "../assumption-table.ts";
import { envelope, fieldError, oauthError, openChallenge } from "../openapi.ts";
import type { AnyRoute } from "../../kit/http/route.ts";
import type { PaymentWords } from "../route.ts";
import { eventBodies, eventParts } from "./event-parts.ts";
import { bodyParts, bodyTemplate } from "./route-bodies.ts";
import { envelopeOfDocument, envelopeParts, errorBodyOfDocument, errorParts, rowsOfEvents } from "./shapes.ts";
import type { EventFamily, EventShape } from "./shapes.ts";
import { tokenResponse } from "../schemas/auth.ts";
import { tokenOfOAuth, tokenParts } from "./token-call.ts";
import { templateSchema } from "./template-json-schema.ts";

/** A schema of the document, and the function that describes it otherwise. */
type Narrowed = NonNullable<DeclaredDescription<PaymentWords>["narrowed"]>[number];

type DataRoute = Pick<AnyRoute<PaymentWords>, "name" | "data">;

/** Returns the function that describes the body of a success, from the schema of a route's data. */
export function successUnder(assumptions: Assumptions): (data: JsonSchema, route: DataRoute) => JsonSchema {
  const template = assumptions.value("http.envelope");
  const inEnvelope =
    template === envelopeOfDocument
      ? envelope
      : (data: JsonSchema): JsonSchema => templateSchema(template, envelopeParts, () => data);
  return (data, route) => inEnvelope(bodyUnder(assumptions, route) ?? data);
}

/** Describes the data of a route that a template shapes. */
function bodyUnder(assumptions: Assumptions, { name, data }: DataRoute): JsonSchema | undefined {
  const template = bodyTemplate(assumptions, name);
  if (template === undefined || !(data instanceof z.ZodMiniObject)) return undefined;
  const schema = toJsonSchema(data);
  return templateSchema(template, bodyParts(data), (path) => memberOf(schema, path));
}

/** Returns the function that describes the body of an error with one of these codes, unless it has the usual shape. */
export function errorBodyUnder(
  assumptions: Assumptions,
): ((codes: readonly string[], isOfTokenCall: boolean) => JsonSchema) | undefined {
  const template = assumptions.value("http.error-body");
  const isUsual = template === errorBodyOfDocument;
  if (isUsual && Object.keys(assumptions.value("http.error-codes")).length === 0) return undefined;
  const ofField = propertiesOf(fieldError);
  const ofChallenge = propertiesOf(openChallenge);
  return (codes, isOfTokenCall) => {
    const text = { type: "string" };
    const schemas: Readonly<Record<string, JsonSchema>> = {
      ...ofChallenge,
      message: text,
      code: { enum: codes },
      status: { type: "integer" },
      "errors.path": ofField["path"] ?? text,
      "errors.message": text,
      "errors.code": ofField["code"] ?? text,
      "problems.path": ofField["path"] ?? text,
      "problems.message": text,
      "problems.code": { enum: codes },
    };
    const body = templateSchema(template, errorParts, (name) => schemas[name] ?? {});
    return isOfTokenCall ? withMembers(body, oauthError) : body;
  };
}

/** Describes the answer of the token call (`auth.token-response`). */
export function tokenUnder(assumptions: Assumptions, usual: JsonSchema): JsonSchema {
  const template = assumptions.value("auth.token-response");
  if (template === tokenOfOAuth) return usual;
  const own: Readonly<Record<string, JsonSchema>> = {
    ...propertiesOf(tokenResponse),
    expires_at: { type: "string", format: "date-time" },
  };
  return templateSchema(template, { ...tokenParts, optional: [] }, (name) => own[name] ?? {});
}

/** Adds the members of another object to the description of one; a list or a text has none, so the other replaces it. */
function withMembers(body: JsonSchema, more: typeof oauthError): JsonSchema {
  const { properties = {}, required = [] } = body as { properties?: object; required?: readonly string[] };
  return {
    type: "object",
    properties: { ...properties, ...more.properties },
    required: [...new Set([...required, ...more.required])],
    additionalProperties: false,
  };
}

function propertiesOf(schema: z.ZodMiniType): Readonly<Record<string, JsonSchema>> {
  const { properties = {} } = toJsonSchema(schema) as { properties?: Readonly<Record<string, JsonSchema>> };
  return properties;
}

/** Has the document describe a schema in another way. */
export function replacing(schema: z.ZodMiniType, by: JsonSchema): Narrowed {
  return [
    schema,
    (described) => {
      for (const name of Object.keys(described)) delete described[name];
      Object.assign(described, by);
    },
  ];
}

/** Has the document describe the events as the assumptions shape them (`webhook.checkout`, `webhook.intent`, `webhook.subscription`). */
export function eventsUnder(assumptions: Assumptions): readonly Narrowed[] {
  return (Object.keys(rowsOfEvents) as EventFamily[]).flatMap((family): Narrowed[] => {
    const { types = {}, body }: EventShape = assumptions.value(rowsOfEvents[family]);
    const schema = eventBodies[family];
    const named = { enum: schema.shape.type.options.map((type) => types[type] ?? type) };
    if (body !== undefined) {
      const own = { "event.id": { type: "string" }, "event.type": named, "event.created": { type: "integer" } };
      const ofMember = (path: string): JsonSchema => memberOf(toJsonSchema(schema), path.replace(/^event\./, ""));
      const known: Readonly<Record<string, JsonSchema>> = own;
      return [
        replacing(
          schema,
          templateSchema(body, eventParts(schema), (path) => known[path] ?? ofMember(path)),
        ),
      ];
    }
    if (Object.keys(types).length === 0) return [];
    return [
      [
        schema,
        (described) => {
          described["properties"] = { ...(described["properties"] as object), type: { type: "string", ...named } };
        },
      ],
    ];
  });
}

/** Returns the schema of a member of an object or of a list's items, by its path; any value where there is no such member. */
function memberOf(schema: JsonSchema, path: string): JsonSchema {
  return path.split(".").reduce<JsonSchema>((within, name) => {
    const { items, properties = items?.properties ?? {} } = within as Part & { readonly items?: Part };
    return properties[name] ?? {};
  }, schema);
}

interface Part {
  readonly properties?: Readonly<Record<string, JsonSchema>>;
}
