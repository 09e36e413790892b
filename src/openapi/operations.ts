import type { z } from "zod";
import { assumptionTable } from "../service/assumption-table.ts";
import type { AssumptionId } from "../service/assumption-table.ts";
import type { PaymentRoute as AnyRoute } from "../service/route.ts";
import { isIdempotent, responsesOf } from "./responses.ts";
import type { Content, OpenApiResponse, Reference } from "./responses.ts";
import { addressOf, toJsonSchema } from "./schemas.ts";
import type { Components, JsonSchema } from "./schemas.ts";

/** A parameter of the path, the query or the headers. */
export interface OpenApiParameter {
  readonly name: string;
  readonly in: "path" | "query" | "header";
  readonly required: boolean;
  readonly description?: string;
  readonly schema: JsonSchema;
}

/** One endpoint, or one webhook that the service sends. */
export interface OpenApiOperation {
  readonly operationId: string;
  readonly summary: string;
  readonly description: string;
  readonly tags: readonly string[];
  readonly servers?: readonly { readonly url: string; readonly description: string }[];
  readonly security: readonly Readonly<Record<string, readonly string[]>>[];
  readonly parameters?: readonly OpenApiParameter[];
  readonly requestBody?: { readonly required: boolean; readonly content: Content };
  readonly responses: Readonly<Record<string, OpenApiResponse | Reference>>;
  /** The assumptions that the answer rests on; `x-centavo-assumptions` of the whole document says what they are. */
  readonly "x-centavo-assumptions": readonly AssumptionId[];
}

const SECURITY: Readonly<Record<AnyRoute["credential"], OpenApiOperation["security"]>> = {
  bearer: [{ accessToken: [] }],
  "bearer-or-client-key": [{ accessToken: [] }, { clientKey: [] }],
  "admin-key": [{ adminKey: [] }],
  none: [],
};

/** What a declared route is in the document. */
export function operationOf(route: AnyRoute, components: Components): OpenApiOperation {
  const parameters = parametersOf(route);
  return {
    operationId: route.name,
    summary: route.summary,
    description: /^\d/.test(route.source)
      ? `Part ${route.source} of the service document.`
      : `Not in the service document: \`${route.source}\`.`,
    tags: [route.name.split(".", 1)[0] as string],
    security: SECURITY[route.credential],
    ...(parameters.length === 0 ? {} : { parameters }),
    ...(route.body === undefined
      ? {}
      : {
          requestBody: {
            required: !acceptsNothing(route.body),
            content: requestContent(route, components.reference(route.body)),
          },
        }),
    responses: responsesOf(route, components),
    "x-centavo-assumptions": route.assumes,
  };
}

function parametersOf(route: AnyRoute): OpenApiParameter[] {
  const from = (place: "path" | "query", schema: z.ZodObject | undefined): OpenApiParameter[] =>
    Object.entries(schema?.shape ?? {}).map(([name, field]) => ({
      name,
      in: place,
      required: !(field as z.ZodType).safeParse(undefined).success,
      schema: toJsonSchema(field as z.ZodType),
    }));
  const key: OpenApiParameter = {
    name: "Idempotency-Key",
    in: "header",
    required: false,
    description: "Repeats of a call under the same key get the first answer (`http.idempotency-key`)",
    schema: { type: "string", minLength: 1, maxLength: 255 },
  };
  return [...from("path", route.params), ...from("query", route.query), ...(isIdempotent(route) ? [key] : [])];
}

function requestContent(route: AnyRoute, schema: JsonSchema): Content {
  const types = { json: "application/json", form: "application/x-www-form-urlencoded" } as const;
  return Object.fromEntries((route.accepts ?? ["json"]).map((format) => [types[format], { schema }]));
}

/** A request that the service sends to the merchant, with what the answers to it mean. */
export function webhookOf(name: string, component: string, summary: string): OpenApiOperation {
  return {
    operationId: `webhook.${name}`,
    summary,
    description:
      "Part 6 of the service document. Signed as `webhook.signature` says, and sent again as `webhook.retries` says.",
    tags: ["webhook"],
    security: [],
    requestBody: { required: true, content: { "application/json": { schema: { $ref: addressOf(component) } } } },
    responses: {
      "2XX": { description: "Delivered; no further tries" },
      410: { description: "Never to be sent again" },
    },
    "x-centavo-assumptions": (Object.keys(assumptionTable) as AssumptionId[]).filter((id) => id.startsWith("webhook.")),
  };
}

function acceptsNothing(body: z.ZodType): boolean {
  return body.safeParse({}).success;
}
