import type * as z from "zod/mini";
import { schemaAddress } from "../kit/declaration/description.ts";
import type { Description, JsonSchema } from "../kit/declaration/description.ts";
import type { AnyRoute } from "../kit/http/route.ts";
import { isIdempotent, responsesOf } from "./responses.ts";
import type { Content, OpenApiOperation, OpenApiParameter } from "../kit/declaration/openapi-document.ts";
import { toJsonSchema } from "../kit/declaration/json-schema.ts";
import type { Components, Webhook } from "./schemas.ts";

/** Describes a declared route. */
export function operationOf(route: AnyRoute, description: Description, components: Components): OpenApiOperation {
  const parameters = parametersOf(route, description);
  return {
    operationId: route.operationId ?? route.name,
    summary: route.summary,
    description: description.sourceOf(route.source),
    tags: [route.name.split(".", 1)[0] as string],
    security: description.security[route.credential] ?? [],
    ...(parameters.length === 0 ? {} : { parameters }),
    ...(route.body === undefined
      ? {}
      : {
          requestBody: {
            required: !acceptsNothing(route.body),
            content: requestContent(route, components.reference(route.body)),
          },
        }),
    responses: responsesOf(route, description, components),
    "x-centavo-assumptions": route.assumes,
  };
}

function parametersOf(route: AnyRoute, description: Description): OpenApiParameter[] {
  const from = (place: "path" | "query", schema: z.ZodMiniObject | undefined): OpenApiParameter[] =>
    Object.entries(schema?.shape ?? {}).map(([name, field]) => ({
      name,
      in: place,
      required: !(field as z.ZodMiniType).safeParse(undefined).success,
      schema: toJsonSchema(field as z.ZodMiniType),
    }));
  const key: OpenApiParameter = {
    name: "Idempotency-Key",
    in: "header",
    required: false,
    description: description.idempotencyKey,
    schema: { type: "string", minLength: 1, maxLength: 255 },
  };
  return [
    ...from("path", route.params),
    ...from("query", route.query),
    ...(isIdempotent(route, description) ? [key] : []),
  ];
}

function requestContent(route: AnyRoute, schema: JsonSchema): Content {
  const types = { json: "application/json", form: "application/x-www-form-urlencoded" } as const;
  return Object.fromEntries((route.accepts ?? ["json"]).map((format) => [types[format], { schema }]));
}

/** Describes a request that the service sends to the merchant, and what each answer means. */
export function webhookOf(
  { name, component, summary }: Webhook,
  { webhooks: { description, headers, assumptions } }: Description,
): OpenApiOperation {
  return {
    operationId: `webhook.${name}`,
    summary,
    description,
    tags: ["webhook"],
    security: [],
    parameters: Object.entries(headers).map(([header, { description: meaning, required = false, schema }]) => ({
      name: header,
      in: "header",
      required,
      description: meaning,
      schema,
    })),
    requestBody: { required: true, content: { "application/json": { schema: { $ref: schemaAddress(component) } } } },
    responses: {
      "2XX": { description: "Delivered; not sent again" },
      410: { description: "Gone; not sent again" },
    },
    "x-centavo-assumptions": assumptions,
  };
}

function acceptsNothing(body: z.ZodMiniType): boolean {
  return body.safeParse({}).success;
}
