import type { z } from "zod";
import type { ProblemKind } from "../http/problem.ts";
import type { AnyRoute, ServiceWords } from "../http/route.ts";

/** A JSON Schema of draft 2020-12, which is what OpenAPI 3.1 uses. */
export type JsonSchema = Readonly<Record<string, unknown>>;

export interface OpenApiHeader {
  readonly description: string;
  /** Whether every answer of this kind carries it. */
  readonly required?: true;
  readonly schema: JsonSchema;
}

/** The errors of a service, as its OpenAPI document lists them. */
export interface ErrorDescription<Code extends string> {
  readonly table: Readonly<Record<Code, { readonly status: number; readonly message: string }>>;
  readonly ofProblem: Readonly<Record<ProblemKind, Code>>;
  /** The error of a call whose credential does not open its route. */
  readonly unauthorized: Code;
  /** Errors that most operations may answer, each alone under its status. */
  readonly shared: readonly Code[];
  /** Errors whose status an assumption changes, with the other statuses. */
  readonly otherStatuses: Readonly<Partial<Record<Code, readonly number[]>>>;
  /** What some errors carry in a header. */
  readonly headers: Readonly<Partial<Record<Code, Readonly<Record<string, OpenApiHeader>>>>>;
  /** The body that says one of these codes. */
  readonly body: (codes: readonly Code[], route: AnyRoute | undefined) => JsonSchema;
}

/** What the OpenAPI document says of a service beside its routes and events. */
export interface Description<Words extends ServiceWords = ServiceWords> {
  readonly info: Readonly<Record<string, unknown>>;
  readonly security: Readonly<Record<Words["credential"], readonly Readonly<Record<string, readonly string[]>>[]>>;
  readonly securitySchemes: (authUrl: string) => Readonly<Record<string, JsonSchema>>;
  /** The credentials of merchants, whose calls a rate limit counts. */
  readonly merchantCredentials: readonly Words["credential"][];
  /** Schemas that have a name of their own: what is answered, and what is sent. */
  readonly answered: Readonly<Record<string, z.ZodType>>;
  readonly sent: Readonly<Record<string, z.ZodType>>;
  /** Schemas that an answer puts together with others, and closes itself. */
  readonly parts: readonly z.ZodType[];
  /** The answer around the data of a success. */
  readonly envelope: (data: JsonSchema) => JsonSchema;
  /** The answer of a route whose success is not wrapped like others. */
  readonly plain: (schema: JsonSchema, route: AnyRoute<Words>) => JsonSchema;
  readonly errors: ErrorDescription<Words["error"]["code"]>;
  /** Where a route comes from, in words. */
  readonly sourceOf: (source: string) => string;
  readonly created: string;
  readonly idempotencyKey: string;
  readonly webhooks: {
    readonly tag: string;
    readonly description: string;
    readonly assumptions: readonly Words["assumption"][];
  };
}

/** Where a named schema stands in the document. */
export function schemaAddress(name: string): string {
  return `#/components/schemas/${name}`;
}
