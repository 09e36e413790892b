import { assumptionTable } from "../service/assumption-table.ts";
import type { AssumptionId } from "../service/assumption-table.ts";
import { operationOf, webhookOf } from "./operations.ts";
import type { OpenApiOperation } from "./operations.ts";
import { sharedResponses } from "./responses.ts";
import type { OpenApiResponse } from "./responses.ts";
import { componentsOf, webhooksIn } from "./schemas.ts";
import type { JsonSchema } from "./schemas.ts";
import { toSettings } from "../simulator/options.ts";
import { routesIn } from "../declaration/service.ts";
import { paymentService } from "../service/service.ts";

/** The service as an OpenAPI 3.1 document. */
export interface OpenApiDocument {
  readonly openapi: "3.1.0";
  readonly info: Readonly<Record<string, unknown>>;
  readonly servers: readonly { readonly url: string; readonly description: string }[];
  readonly tags: readonly { readonly name: string; readonly description: string }[];
  readonly paths: Readonly<Record<string, Readonly<Record<string, OpenApiOperation>>>>;
  readonly webhooks: Readonly<Record<string, { readonly post: OpenApiOperation }>>;
  readonly components: {
    readonly schemas: Readonly<Record<string, JsonSchema>>;
    readonly responses: Readonly<Record<string, OpenApiResponse>>;
    readonly securitySchemes: Readonly<Record<string, JsonSchema>>;
  };
  /** Every open question of the service document, what Centavo answers, and the default. */
  readonly "x-centavo-assumptions": Readonly<
    Record<AssumptionId, { readonly question: string; readonly answer: string; readonly default: unknown }>
  >;
}

/**
 * Describes the service as an OpenAPI 3.1 document, derived from the same declarations that route and validate requests. Everything
 * that the service document leaves open is listed under `x-centavo-assumptions`, and each operation names those that it rests on.
 *
 * @param addresses the base URLs of the API and of the token service, with the defaults of `createSimulator`
 * @throws {CentavoError} `INVALID_OPTION` for an address that is no http(s) URL
 *
 * @example
 * const { paths } = openApiDocument({ baseUrl: "https://api.pay.example" });
 * Object.keys(paths); // /api/payment-intent, /api/payment-intent/{intentId}/confirm, …
 */
export function openApiDocument(
  addresses: { readonly baseUrl?: string; readonly authUrl?: string } = {},
): OpenApiDocument {
  const { baseUrl, authUrl } = toSettings(addresses);
  const authServer = { url: authUrl, description: "The token service" };
  const routes = routesIn(paymentService);
  const tags = new Map([
    ...paymentService.resources.flatMap((resource) => Object.entries(resource.tags)),
    ["webhook", "What the service sends to the merchant"],
  ]);
  const components = componentsOf(paymentService);
  const paths: Record<string, Record<string, OpenApiOperation>> = {};
  for (const route of routes) {
    const operation = operationOf(route, components);
    paths[route.path] = {
      ...paths[route.path],
      [route.method.toLowerCase()]: route.service === "auth" ? { ...operation, servers: [authServer] } : operation,
    };
  }
  const names = new Set(
    Object.values(paths).flatMap((operations) => Object.values(operations).flatMap(({ tags }) => tags)),
  );
  return {
    openapi: "3.1.0",
    info: {
      title: "Payment service, as Centavo simulates it",
      version: "unversioned",
      summary: "Hosted checkout, payment intents, subscriptions, transactions and tokens",
      description:
        "Derived from the routes of Centavo. Amounts are integers in centavos, times are UTC. No money moves.",
      license: { name: "MIT", identifier: "MIT" },
    },
    servers: [{ url: baseUrl, description: "The API" }],
    tags: [...names, "webhook"].map((name) => ({ name, description: tags.get(name) ?? name })),
    paths,
    webhooks: Object.fromEntries(
      webhooksIn(paymentService).map(({ name, component, summary }) => [
        name,
        { post: webhookOf(name, component, summary) },
      ]),
    ),
    components: {
      schemas: components.schemas,
      responses: sharedResponses(),
      securitySchemes: {
        accessToken: {
          type: "oauth2",
          description: "A JWT from the token service",
          flows: { clientCredentials: { tokenUrl: `${authUrl}/oauth`, refreshUrl: `${authUrl}/oauth`, scopes: {} } },
        },
        clientKey: {
          type: "http",
          scheme: "bearer",
          description: "The `clientKey` of the one intent that is addressed (`auth.client-key`)",
        },
        adminKey: { type: "apiKey", in: "header", name: "X-Admin-Key" },
      },
    },
    "x-centavo-assumptions": Object.fromEntries(
      Object.entries(assumptionTable).map(([id, { question, answer, value }]) => [
        id,
        { question, answer, default: value },
      ]),
    ) as OpenApiDocument["x-centavo-assumptions"],
  };
}
