import type { IdOf } from "../kit/assumptions/entry.ts";
import { described } from "../kit/declaration/description.ts";
import type { DeclaredDescription } from "../kit/declaration/description.ts";
import type { AnyRoute } from "../kit/http/route.ts";
import type { DeclaredWords } from "../kit/declaration/resource.ts";
import { routesIn } from "../kit/declaration/define-service.ts";
import type { DefinedService } from "../kit/declaration/define-service.ts";
import type { Described, OpenApiOperation } from "../kit/declaration/openapi-document.ts";
import { operationOf, webhookOf } from "./operations.ts";
import { sharedResponses } from "./responses.ts";
import { componentsOf, webhooksIn } from "./schemas.ts";

/**
 * Describes a declared service as an OpenAPI 3.1 document, derived from the declarations that route and validate requests.
 * @param valueOf returns the value of an assumption in force; without it, the document allows every value
 * @param routes those in force; by default those that the resources declare
 */
export function describeService<Words extends DeclaredWords>(
  service: DefinedService<Words>,
  declared: DeclaredDescription<Words>,
  { baseUrl, authUrl }: { readonly baseUrl: string; readonly authUrl: string },
  valueOf?: (id: string) => unknown,
  routes: readonly AnyRoute[] = routesIn(service),
): Described<IdOf<Words["table"]>> {
  const { resources } = service;
  const description = described(declared, service.errors);
  const authServer = { url: authUrl, description: "The token service" };
  const components = componentsOf(service, description, routes);
  const paths: Record<string, Record<string, OpenApiOperation>> = {};
  for (const route of routes) {
    const operation = operationOf(route, description, components);
    paths[route.path] = {
      ...paths[route.path],
      [route.method.toLowerCase()]: route.service === "auth" ? { ...operation, servers: [authServer] } : operation,
    };
  }
  const meanings = new Map(resources.flatMap(({ tags }) => Object.entries(tags)));
  const names = new Set(
    Object.values(paths).flatMap((operations) => Object.values(operations).flatMap(({ tags }) => tags)),
  );
  return {
    openapi: "3.1.0",
    info: description.info,
    servers: [{ url: baseUrl, description: "The API" }],
    tags: [
      ...[...names].map((name) => ({ name, description: meanings.get(name) ?? name })),
      { name: "webhook", description: description.webhooks.tag },
    ],
    paths,
    webhooks: Object.fromEntries(
      webhooksIn(service).map((webhook) => [webhook.name, { post: webhookOf(webhook, description) }]),
    ),
    components: {
      schemas: components.schemas,
      responses: sharedResponses(description),
      securitySchemes: description.securitySchemes(authUrl),
    },
    "x-centavo-assumptions": Object.fromEntries(
      Object.entries(service.assumptions).map(([id, entry]) => {
        const { question, answer } = entry;
        if (entry.values === "fixed") return [id, { question, answer }];
        const value = valueOf === undefined ? {} : { value: valueOf(id) };
        return [id, { question, answer, default: entry.value, ...value }];
      }),
    ) as Described<IdOf<Words["table"]>>["x-centavo-assumptions"],
  };
}
