import type { z } from "zod";
import { errorTable } from "../service/error-table.ts";
import type { ErrorCode } from "../service/error-table.ts";
import type { PaymentRoute as AnyRoute } from "../service/route.ts";
import { addressOf, pascalCase } from "./schemas.ts";
import type { Components, JsonSchema } from "./schemas.ts";

/** Bodies by media type. */
export type Content = Readonly<Record<string, { readonly schema: JsonSchema }>>;

export interface OpenApiHeader {
  readonly description: string;
  /** Whether every answer of this kind carries it. */
  readonly required?: true;
  readonly schema: JsonSchema;
}

/** An answer that stands among the components. */
export interface Reference {
  readonly $ref: string;
}

/** An answer that an operation may give under one status. */
export interface OpenApiResponse {
  readonly description: string;
  readonly headers?: Readonly<Record<string, OpenApiHeader>>;
  readonly content?: Content;
}

/** Errors whose status an assumption changes, with the other statuses (`auth.token-errors`). */
const OTHER_STATUSES: Partial<Record<ErrorCode, readonly number[]>> = { INVALID_REFRESH_TOKEN: [401] };

/** Errors that most operations may answer, each alone under its status. */
const SHARED: readonly ErrorCode[] = [
  "UNAUTHORIZED",
  "NOT_FOUND",
  "METHOD_NOT_ALLOWED",
  "BODY_TOO_LARGE",
  "UNSUPPORTED_MEDIA_TYPE",
  "RATE_LIMITED",
  "INTERNAL_ERROR",
];

/** What some errors carry in a header. */
const ERROR_HEADERS: Partial<Record<ErrorCode, Readonly<Record<string, OpenApiHeader>>>> = {
  UNAUTHORIZED: {
    "WWW-Authenticate": {
      description: "The challenge of RFC 6750; not where the admin key is asked for (`http.token-messages`)",
      schema: { type: "string" },
    },
  },
  METHOD_NOT_ALLOWED: {
    Allow: { description: "The methods that this address takes", required: true, schema: { type: "string" } },
  },
  RATE_LIMITED: {
    "Retry-After": {
      description: "Virtual seconds until the window ends (`http.rate-limit`)",
      required: true,
      schema: { type: "string" },
    },
  },
};

const htmlContent: Content = { "text/html": { schema: { type: "string" } } };

/** Every answer that a route may give, by status. */
export function responsesOf(route: AnyRoute, components: Components): Record<string, OpenApiResponse | Reference> {
  return { ...successesOf(route, components), ...failuresOf(route) };
}

/** Whether an `Idempotency-Key` is honoured. */
export function isIdempotent({ method, idempotent }: AnyRoute): boolean {
  return method !== "GET" && idempotent !== false;
}

function successesOf(route: AnyRoute, components: Components): Record<string, OpenApiResponse> {
  const { data, plain } = route;
  if (data === undefined && plain === undefined) {
    return {
      200: { description: "A page for the customer", content: htmlContent },
      303: {
        description: "Leads the customer on",
        headers: { Location: { description: "Where to", required: true, schema: { type: "string" } } },
      },
    };
  }
  const replayed = {
    "Idempotent-Replayed": {
      description: "`true` where the answer was kept from an earlier call under the same key",
      schema: { const: "true" },
    },
  };
  const answer = (description: string): OpenApiResponse => ({
    description,
    ...(isIdempotent(route) ? { headers: replayed } : {}),
    content: {
      "application/json": {
        schema: data === undefined ? plainSchema(route, components) : envelope(components.reference(data)),
      },
    },
  });
  return {
    200: answer("Success"),
    ...(route.creates === true ? { 201: answer("Success, where `http.success-status` is 201") } : {}),
  };
}

function plainSchema({ plain, assumes }: AnyRoute, components: Components): JsonSchema {
  const schema = components.reference(plain as z.ZodType);
  return assumes.includes("auth.token-response") ? { oneOf: [schema, envelope(schema)] } : schema;
}

function envelope(data: JsonSchema): JsonSchema {
  return {
    type: "object",
    properties: { success: { type: "boolean", const: true }, data },
    required: ["success", "data"],
    additionalProperties: false,
  };
}

/** The answers that say one error alone, by name, as every operation that may give them refers to them. */
export function sharedResponses(): Record<string, OpenApiResponse> {
  return Object.fromEntries(SHARED.map((code) => [sharedName(code), failureOf([code], false)]));
}

function failuresOf(route: AnyRoute): Record<string, OpenApiResponse | Reference> {
  const byStatus = new Map<number, ErrorCode[]>();
  for (const code of errorsOf(route)) {
    for (const status of [errorTable[code].status, ...(OTHER_STATUSES[code] ?? [])])
      byStatus.set(status, [...(byStatus.get(status) ?? []), code]);
  }
  const speaksOAuth = route.errorFields !== undefined;
  const isPage = route.data === undefined && route.plain === undefined;
  return Object.fromEntries(
    [...byStatus].map(([status, codes]): [number, OpenApiResponse | Reference] => {
      const [code] = codes;
      if (code !== undefined && codes.length === 1 && SHARED.includes(code) && !speaksOAuth)
        return [status, { $ref: `#/components/responses/${sharedName(code)}` }];
      const failure = failureOf(codes, speaksOAuth);
      return [
        status,
        isPage && status === 400 ? { ...failure, content: { ...failure.content, ...htmlContent } } : failure,
      ];
    }),
  );
}

function sharedName(code: ErrorCode): string {
  return pascalCase(code.toLowerCase());
}

/** The errors of a route: its own, and those that any route like it may answer. */
function errorsOf(route: AnyRoute): ErrorCode[] {
  const changes = route.method !== "GET";
  const shared: readonly (readonly [ErrorCode, boolean])[] = [
    ["VALIDATION_ERROR", route.query !== undefined || route.body !== undefined || isIdempotent(route)],
    ["MALFORMED_JSON", changes],
    ["IDEMPOTENCY_KEY_REUSED", isIdempotent(route)],
    ["INVALID_STATE", isIdempotent(route)],
    ["UNAUTHORIZED", route.credential !== "none"],
    ["NOT_FOUND", route.params !== undefined],
    ["METHOD_NOT_ALLOWED", true],
    ["BODY_TOO_LARGE", changes],
    ["UNSUPPORTED_MEDIA_TYPE", route.body !== undefined],
    ["RATE_LIMITED", route.credential === "bearer" || route.credential === "bearer-or-client-key"],
    ["INTERNAL_ERROR", true],
  ];
  const possible = new Set([...route.errors, ...shared.flatMap(([code, applies]) => (applies ? [code] : []))]);
  return (Object.keys(errorTable) as ErrorCode[]).filter((code) => possible.has(code));
}

function failureOf(codes: readonly ErrorCode[], speaksOAuth: boolean): OpenApiResponse {
  const headers = Object.fromEntries(codes.flatMap((code) => Object.entries(ERROR_HEADERS[code] ?? {})));
  const schema = {
    allOf: [
      { $ref: addressOf("Error") },
      { type: "object", properties: { code: { enum: codes } } },
      ...(codes.includes("3D_SECURE_REQUIRED") ? [{ $ref: addressOf("OpenChallenge") }] : []),
      ...(speaksOAuth
        ? [
            {
              type: "object",
              properties: { error: { type: "string" }, error_description: { type: "string" } },
              required: ["error", "error_description"],
            },
          ]
        : []),
    ],
    unevaluatedProperties: false,
  };
  return {
    description: codes.map((code) => `\`${code}\`: ${errorTable[code].message}`).join(". "),
    ...(Object.keys(headers).length === 0 ? {} : { headers }),
    content: { "application/json": { schema } },
  };
}
