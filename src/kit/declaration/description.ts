import type * as z from "zod/mini";
import { HttpError } from "../http/http-error.ts";
import { STATUS_OF_PROBLEM } from "../http/problem.ts";
import type { Problem, ProblemKind } from "../http/problem.ts";
import type { AnyRoute, ServiceWords } from "../http/route.ts";

/** A JSON Schema of draft 2020-12, which is what OpenAPI 3.1 uses. */
export type JsonSchema = Readonly<Record<string, unknown>>;

export interface OpenApiHeader {
  readonly description: string;
  /** True when every answer or delivery of this kind has it. */
  readonly required?: true;
  readonly schema: JsonSchema;
}

/** The errors of a service. */
export interface ServiceErrors<Code extends string> {
  readonly table: Readonly<Record<Code, { readonly status: number; readonly message: string }>>;
  readonly ofProblem: Readonly<Record<ProblemKind, Code>>;
}

/** Errors as a service declares them. Without `ofProblem`, each problem is the first error of its status in HTTP, or else of 400. */
export type DeclaredErrors<Code extends string> = Pick<ServiceErrors<Code>, "table"> & Partial<ServiceErrors<Code>>;

/** What the OpenAPI document says of a service's errors. */
export interface ErrorDescription<Code extends string> {
  /** The error of a call without a valid credential for the route. */
  readonly unauthorized: Code;
  /** Errors that most operations can answer. Each is the only one with its status. */
  readonly shared?: readonly Code[];
  /** The statuses of errors of which an assumption can change the status, in place of the one of the table. */
  readonly statuses?: Readonly<Partial<Record<Code, readonly number[]>>>;
  /** Returns the code and the message of an error as its answers have them; those of the table by default. */
  readonly told?: (code: Code) => { readonly code: string; readonly message: string };
  /** The headers of some errors. */
  readonly headers?: Readonly<Partial<Record<Code, Readonly<Record<string, OpenApiHeader>>>>>;
  /** Returns the schema of a body with one of these codes; any object by default. */
  readonly body?: (codes: readonly Code[], route: AnyRoute | undefined) => JsonSchema;
}

/** The parts of a service's OpenAPI document that do not come from routes and events. */
export interface Description<Words extends ServiceWords = ServiceWords> {
  readonly info: Readonly<Record<string, unknown>>;
  readonly security: Readonly<Record<Words["credential"], readonly Readonly<Record<string, readonly string[]>>[]>>;
  readonly securitySchemes: (authUrl: string) => Readonly<Record<string, JsonSchema>>;
  /** The credentials whose calls a rate limit counts. */
  readonly limitedCredentials: readonly Words["credential"][];
  /** Named schemas of answers; `sent` has those of requests. */
  readonly answered: Readonly<Record<string, z.ZodMiniType>>;
  readonly sent: Readonly<Record<string, z.ZodMiniType>>;
  /** Schemas that are combined with others in an answer, which closes the combined schema. */
  readonly parts: readonly z.ZodMiniType[];
  /** Returns the schema of a success from that of the route's data. */
  readonly envelope: (data: JsonSchema, route: AnyRoute<Words>) => JsonSchema;
  /** Returns the schema of a success that is not in the usual envelope. */
  readonly plain: (schema: JsonSchema, route: AnyRoute<Words>) => JsonSchema;
  readonly errors: ServiceErrors<Words["error"]["code"]> & ErrorDescription<Words["error"]["code"]>;
  /** Describes the source of a route in words. */
  readonly sourceOf: (source: string) => string;
  /** What a success that creates something means, and the statuses that it may have. */
  readonly created: string;
  readonly createdStatuses: readonly number[];
  /** Returns the status of a success in force; without it, all that a success may have. */
  readonly successStatus?: (route: AnyRoute<Words>) => number;
  /** Whether calls take an `Idempotency-Key`. */
  readonly takesKeys: boolean;
  /** Whether a body with a field that its schema does not name is refused. */
  readonly closedRequests: boolean;
  /** What an assumption narrows, each with the function that writes the narrower schema into a JSON Schema: a schema, or all with one check. */
  readonly narrowed: readonly (readonly [
    z.ZodMiniType | z.core.$ZodCheck,
    (schema: Record<string, unknown>) => void,
  ])[];
  readonly idempotencyKey: string;
  readonly webhooks: {
    readonly tag: string;
    readonly description: string;
    /** The headers of a delivery that its signature adds. */
    readonly headers: Readonly<Record<string, OpenApiHeader>>;
    readonly assumptions: readonly Words["assumption"][];
  };
}

/** Returns the reference to a named schema in the document. */
export function schemaAddress(name: string): string {
  return `#/components/schemas/${name}`;
}

/** What every service must declare. The rest has defaults. */
type Own = "info" | "security" | "securitySchemes";

/** A description as a service declares it. */
export type DeclaredDescription<Words extends ServiceWords> = Pick<Description<Words>, Own> &
  Partial<Omit<Description<Words>, Own | "errors">> & {
    readonly errors: ErrorDescription<Words["error"]["code"]>;
  };

const usual = {
  answered: {},
  sent: {},
  parts: [],
  envelope: (data: JsonSchema) => data,
  plain: (schema: JsonSchema) => schema,
  sourceOf: (source: string) => source,
  created: "Success, and something new was made",
  createdStatuses: [200, 201],
  takesKeys: true,
  closedRequests: false,
  narrowed: [],
  idempotencyKey: "Repeats of a call under the same key get the first answer",
  webhooks: {
    tag: "What the service sends to the merchant",
    description: "Signed, and sent again",
    headers: {},
    assumptions: [],
  },
} as const;

/** Fills in the defaults. By default, a rate limit counts the calls of every credential that has a scheme. */
export function described<Words extends ServiceWords>(
  declared: DeclaredDescription<Words>,
  errors: ServiceErrors<Words["error"]["code"]>,
): Description<Words> {
  const { security } = declared;
  const credentials = Object.keys(security) as Words["credential"][];
  return {
    ...usual,
    limitedCredentials: credentials.filter((credential) => security[credential].length > 0),
    ...declared,
    errors: { ...errors, ...declared.errors },
  };
}

/** Fills in the errors of problems. */
export function withUsualCodes<Code extends string>(declared: DeclaredErrors<Code>): ServiceErrors<Code> {
  return { ofProblem: usualCodes(declared.table), ...declared };
}

/** Returns the error of a service for a problem. */
export function errorOfProblem({ table, ofProblem }: ServiceErrors<string>, { kind, details }: Problem): HttpError {
  const code = ofProblem[kind];
  const { status = 500, message = code } = table[code] ?? {};
  const { detail, ...rest } = details;
  return new HttpError(code, rest.status ?? status, { ...rest, message: detail ?? message });
}

/** Returns the error of a service with a code. */
export function errorOfCode({ table }: ServiceErrors<string>, code: string): HttpError {
  const { status = 500, message = code } = table[code] ?? {};
  return new HttpError(code, status, { message });
}

function usualCodes<Code extends string>(table: ServiceErrors<Code>["table"]): Readonly<Record<ProblemKind, Code>> {
  const codes = Object.keys(table) as Code[];
  const codeOf = (status: number): Code | undefined => codes.find((code) => table[code].status === status);
  const found = Object.entries(STATUS_OF_PROBLEM).map(([kind, status]) => [kind, codeOf(status) ?? codeOf(400)]);
  return Object.fromEntries(found) as Record<ProblemKind, Code>;
}
