import type * as z from "zod/mini";
import type { JsonSchema } from "../../kit/declaration/description.ts";
import { toJsonSchema } from "../../kit/declaration/json-schema.ts";
import { worldRoutes, WORLDS_PATH } from "../world-routes.ts";
import { CONTROL_PATH } from "../../client/control-api.ts";
import { anObject, asIs } from "./as-is.ts";
import { control, mayAddRows } from "./route.ts";
import type { ControlRoute } from "./route.ts";

/** The OpenAPI document of the control API. Python, PHP and other clients can be generated from it. */
export interface ControlDocument {
  readonly openapi: "3.1.0";
  readonly info: JsonSchema;
  readonly servers: readonly { readonly url: string; readonly description: string }[];
  readonly security: readonly JsonSchema[];
  readonly tags: readonly { readonly name: string; readonly description: string }[];
  readonly paths: Readonly<Record<string, Readonly<Record<string, JsonSchema>>>>;
  readonly components: JsonSchema;
}

/** What a group of routes is about, by the first word of their names. */
const TAGS: Readonly<Record<string, string>> = {
  worlds: "The named worlds of the server. Their addresses begin with the server's own, whatever the world",
  clock: "The virtual clock",
  customer: "The customer on the hosted page and on challenge pages",
  webhooks: "The webhook events and their deliveries",
  faults: "The faults to inject",
  make: "Fixtures: resources in any status",
  journal: "Everything that happened",
  assumptions: "What the service document leaves open",
  inspector: "The page that shows the worlds of the server in a browser",
  world: "The world as a whole",
};

/**
 * Describes the control API as an OpenAPI 3.1 document, from the declarations that answer it.
 * @param url the base URL of the world, or of the server
 */
export function controlDocument(routes: readonly ControlRoute[], url = "http://127.0.0.1:4010"): ControlDocument {
  const server = { url: url.replace(/\/worlds\/[^/]*$/, ""), description: "The server" };
  const paths: Record<string, Record<string, JsonSchema>> = {};
  const add = (path: string, { method, ...operation }: { readonly method: string } & JsonSchema): void => {
    paths[path] = { ...paths[path], [method.toLowerCase()]: operation };
  };
  for (const route of routes) add(CONTROL_PATH + route.path, operationOf(route));
  for (const route of worldRoutes) add(WORLDS_PATH + route.path, { ...operationOf(route), servers: [server] });
  const used = new Set([...routes, ...worldRoutes].map(tagOf));
  return {
    openapi: "3.1.0",
    info: {
      title: "Centavo control API",
      version: "1",
      description:
        "Moves the clock of a world, plans faults, acts as its customer and reads everything. Each named world has it below its own address.",
      license: { name: "MIT", identifier: "MIT" },
    },
    servers: [{ url, description: "The world" }],
    security: [{ controlToken: [] }],
    tags: [...used].map((name) => ({ name, description: TAGS[name] ?? `The ${name} of every merchant` })),
    paths,
    components: {
      securitySchemes: {
        controlToken: {
          type: "http",
          scheme: "bearer",
          description: "The control token, which the server prints when it starts",
        },
      },
      schemas: {
        Error: {
          type: "object",
          required: ["error"],
          properties: {
            error: {
              type: "object",
              required: ["code", "message"],
              properties: { code: { type: "string" }, message: { type: "string" } },
            },
          },
        },
      },
      responses: Object.fromEntries(
        Object.entries(REFUSALS).map(([status, description]) => [
          `Refused${status}`,
          { description, content: { "application/json": { schema: { $ref: "#/components/schemas/Error" } } } },
        ]),
      ),
    },
  };
}

/** What each status of an error means. */
const REFUSALS = {
  400: "Something in the call is wrong; the message names it, with the nearest right name. Nothing has changed",
  401: "The control token is missing or wrong",
  403: "A page of another origin has called",
  404: "There is no such world or resource",
  409: "The world is in no state for the call, or has ended",
  413: "The body is too large",
  421: "The host of the call is neither this machine nor allowed",
  500: "The server failed",
  503: "The server has no room for another world, its disk is full, or it is stopping",
  507: "The world has as many rows as its server allows",
} as const;

/** The route of the document itself. */
export function documentRoute(routes: () => readonly ControlRoute[]): ControlRoute {
  return control({
    name: "world.describe",
    summary: "Returns the OpenAPI document of the control API",
    method: "GET",
    path: "/openapi.json",
    data: asIs<object>(anObject),
    perform: ({ baseUrl }) => controlDocument(routes(), baseUrl),
  });
}

type Described = Pick<
  ControlRoute,
  "name" | "summary" | "method" | "params" | "query" | "headers" | "body" | "data" | "text" | "whenFull"
> & {
  readonly creates?: true | "once";
};

function tagOf({ name }: Pick<ControlRoute, "name">): string {
  return name.includes(".") ? name.slice(0, name.indexOf(".")) : "world";
}

function operationOf(route: Described): { readonly method: string } & JsonSchema {
  const { name, summary, method, params, query, headers = {}, body } = route;
  const parameters = [
    ...parametersOf("path", params),
    ...parametersOf("query", query),
    ...Object.entries(headers).map(([header, description]) => ({
      name: header,
      in: "header",
      description,
      schema: { type: "string" },
    })),
  ];
  return {
    method,
    operationId: name,
    summary,
    tags: [tagOf(route)],
    ...(parameters.length > 0 && { parameters }),
    ...(body !== undefined && {
      requestBody: {
        required: !body.safeParse({}).success,
        content: { "application/json": { schema: toJsonSchema(body) } },
      },
    }),
    responses: { ...successesOf(route), ...refusalsOf(route) },
  };
}

function parametersOf(place: "path" | "query", schema: z.ZodMiniObject | undefined): readonly JsonSchema[] {
  return Object.entries(schema?.shape ?? {}).map(([name, field]) => ({
    name,
    in: place,
    required: place === "path",
    schema: toJsonSchema(field as z.ZodMiniType),
  }));
}

function successesOf({ data, text, creates }: Described): Readonly<Record<string, JsonSchema>> {
  if (data === undefined && text === undefined) return { 204: { description: "Done" } };
  const content = {
    ...(data !== undefined && { "application/json": { schema: toJsonSchema(data) } }),
    ...(text !== undefined && { [text]: { schema: { type: "string" } } }),
  };
  return {
    ...(creates !== true && { 200: { description: "Done", content } }),
    ...(creates !== undefined && { 201: { description: "Created", content } }),
  };
}

function refusalsOf(route: Described): Readonly<Record<string, JsonSchema>> {
  const { params, query, body } = route;
  const takesSomething = params !== undefined || query !== undefined || body !== undefined;
  const statuses = [
    ...(takesSomething ? [400] : []),
    401,
    403,
    404,
    409,
    ...(body === undefined ? [] : [413]),
    421,
    500,
    503,
    ...(mayAddRows(route) ? [507] : []),
  ];
  return Object.fromEntries(
    statuses.map((status) => [status, { $ref: `#/components/responses/Refused${status}` }] as const),
  );
}
