import type { JsonSchema, OpenApiHeader } from "./description.ts";

/** A service as an OpenAPI 3.1 document. */
export interface Described<Id extends string> {
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
  /**
   * Every open question of the service document, with Centavo's answer, and the default value unless the answer is fixed. A document that
   * follows assumptions has the value of each, too.
   */
  readonly "x-centavo-assumptions": Readonly<
    Record<
      Id,
      { readonly question: string; readonly answer: string; readonly default?: unknown; readonly value?: unknown }
    >
  >;
}

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
  /** The ids of the assumptions that the answer uses, listed in `x-centavo-assumptions` of the document. */
  readonly "x-centavo-assumptions": readonly string[];
}

/** Bodies by media type. */
export type Content = Readonly<Record<string, { readonly schema: JsonSchema }>>;

/** A reference to a response among the components. */
export interface Reference {
  readonly $ref: string;
}

/** A response of an operation for one status. */
export interface OpenApiResponse {
  readonly description: string;
  readonly headers?: Readonly<Record<string, OpenApiHeader>>;
  readonly content?: Content;
}
