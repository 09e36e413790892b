import type * as z from "zod/mini";
import type { Description } from "../kit/declaration/description.ts";
import type { Content, OpenApiResponse, Reference } from "../kit/declaration/openapi-document.ts";
import type { AnyRoute } from "../kit/http/route.ts";
import { pascalCase } from "./schemas.ts";
import type { Components } from "./schemas.ts";

const htmlContent: Content = { "text/html": { schema: { type: "string" } } };

/** Returns every response of a route, by status. */
export function responsesOf(
  route: AnyRoute,
  description: Description,
  components: Components,
): Record<string, OpenApiResponse | Reference> {
  return { ...successesOf(route, description, components), ...failuresOf(route, description) };
}

/** Whether the route honours an `Idempotency-Key`. */
export function isIdempotent({ method, idempotent }: AnyRoute, { takesKeys }: Pick<Description, "takesKeys">): boolean {
  return takesKeys && method !== "GET" && idempotent !== false;
}

function successesOf(
  route: AnyRoute,
  description: Description,
  components: Components,
): Record<string, OpenApiResponse> {
  const { envelope, plain: plainAnswer, created, createdStatuses, successStatus } = description;
  const { data, plain } = route;
  if (data === undefined && plain === undefined) {
    return {
      200: { description: "A page for the customer", content: htmlContent },
      303: {
        description: "Redirects the customer",
        headers: { Location: { description: "The next page", required: true, schema: { type: "string" } } },
      },
    };
  }
  const replayed = {
    "Idempotent-Replayed": {
      description: "`true` if this is the saved answer to an earlier call with the same key",
      schema: { const: "true" },
    },
  };
  const schema =
    data === undefined
      ? plainAnswer(components.reference(plain as z.ZodMiniType), route)
      : envelope(components.reference(data), route);
  const answer = (meaning: string): OpenApiResponse => ({
    description: meaning,
    ...(isIdempotent(route, description) ? { headers: replayed } : {}),
    content: { "application/json": { schema } },
  });
  const possible = route.creates === true ? createdStatuses : [200];
  const statuses = data === undefined || successStatus === undefined ? possible : [successStatus(route)];
  return Object.fromEntries(statuses.map((status) => [status, answer(status === 200 ? "Success" : created)]));
}

/** Returns the error responses that all operations share, by name. Each has a single error code. */
export function sharedResponses(description: Description): Record<string, OpenApiResponse> {
  return Object.fromEntries(
    (description.errors.shared ?? []).map((code) => [sharedName(code), failureOf([code], undefined, description)]),
  );
}

function failuresOf(route: AnyRoute, description: Description): Record<string, OpenApiResponse | Reference> {
  const { table, statuses = {}, shared = [] } = description.errors;
  const byStatus = new Map<number, string[]>();
  for (const code of errorsOf(route, description)) {
    for (const status of statuses[code] ?? [table[code]?.status ?? 500])
      byStatus.set(status, [...(byStatus.get(status) ?? []), code]);
  }
  const hasOwnErrors = route.errorFields !== undefined || route.errorPage !== undefined;
  const isPage = route.data === undefined && route.plain === undefined;
  return Object.fromEntries(
    [...byStatus].map(([status, codes]): [number, OpenApiResponse | Reference] => {
      const [code] = codes;
      if (code !== undefined && codes.length === 1 && shared.includes(code) && !hasOwnErrors)
        return [status, { $ref: `#/components/responses/${sharedName(code)}` }];
      const failure = failureOf(codes, route, description);
      return [
        status,
        isPage && (status === 400 || route.errorPage !== undefined)
          ? { ...failure, content: { ...failure.content, ...htmlContent } }
          : failure,
      ];
    }),
  );
}

function sharedName(code: string): string {
  return pascalCase(code.toLowerCase());
}

/** Returns the error codes of a route in the order of the table: its own, and those that every such route may answer. */
function errorsOf(route: AnyRoute, description: Description): string[] {
  const { errors, limitedCredentials } = description;
  const { ofProblem } = errors;
  const changes = route.method !== "GET";
  const shared: readonly (readonly [string, boolean])[] = [
    // Any address can be called with a query that it does not know.
    [ofProblem.invalid, true],
    [ofProblem["malformed-body"], changes],
    [ofProblem["idempotency-key-reused"], isIdempotent(route, description)],
    [ofProblem["idempotency-key-in-use"], isIdempotent(route, description)],
    [errors.unauthorized, route.credential !== "none"],
    [ofProblem["not-found"], route.params !== undefined],
    [ofProblem["method-not-allowed"], true],
    [ofProblem["body-too-large"], changes],
    [ofProblem["unsupported-media-type"], route.body !== undefined],
    [ofProblem["rate-limited"], limitedCredentials.includes(route.credential)],
    [ofProblem.internal, true],
  ];
  const possible = new Set([...route.errors, ...shared.flatMap(([code, applies]) => (applies ? [code] : []))]);
  return Object.keys(errors.table).filter((code) => possible.has(code));
}

function failureOf(codes: readonly string[], route: AnyRoute | undefined, { errors }: Description): OpenApiResponse {
  const headers = Object.fromEntries(codes.flatMap((code) => Object.entries(errors.headers?.[code] ?? {})));
  return {
    description: codes
      .map((code) => errors.told?.(code) ?? { code, message: errors.table[code]?.message })
      .map(({ code, message }) => `\`${code}\`: ${message}`)
      .join(". "),
    ...(Object.keys(headers).length === 0 ? {} : { headers }),
    content: { "application/json": { schema: errors.body?.(codes, route) ?? { type: "object" } } },
  };
}
