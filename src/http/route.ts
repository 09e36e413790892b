import type { z } from "zod";
import type { HttpError } from "./http-error.ts";

/** Who called. A caller that acts for a merchant names it. */
export interface AnyCaller {
  readonly merchantId?: string;
}

/** The words of one service that its routes speak in. */
export interface ServiceWords {
  /** The kinds of credential that may open a route. */
  readonly credential: string;
  readonly caller: AnyCaller;
  readonly error: HttpError;
  /** The ids of its assumptions. */
  readonly assumption: string;
}

type Parsed<Schema> = Schema extends z.ZodType ? z.output<Schema> : undefined;

/** One call as a handler sees it: everything is checked and typed. */
export interface Call<Params, Query, Body, Caller extends AnyCaller = AnyCaller> {
  readonly params: Params;
  readonly query: Query;
  readonly body: Body;
  readonly caller: Caller;
  /** The caller's merchant; `""` when the route needs no merchant. */
  readonly merchantId: string;
  /** The base URL under which the service was reached, without a trailing slash; addresses in answers start with it. */
  readonly publicUrl: string;
  /** The `Authorization` header, for routes that read it themselves. */
  readonly authorization: string | undefined;
}

/** An answer in a form of its own, such as a page. */
export interface RawAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  /** The error's code, for the journal. */
  readonly code?: string;
}

/** What a handler returns: the data of a success, a decline, or an answer in a form of its own. */
export type Result<Data, Failure extends HttpError = HttpError> =
  | { readonly data: Data }
  | { readonly declined: Failure }
  | { readonly raw: RawAnswer };

/** One endpoint, declared as data: routing, validation, the OpenAPI document and the vocabulary of faults are derived from it. */
export interface Route<
  Words extends ServiceWords,
  Commands,
  Params extends z.ZodObject | undefined = z.ZodObject | undefined,
  Query extends z.ZodObject | undefined = z.ZodObject | undefined,
  Body extends z.ZodType | undefined = z.ZodType | undefined,
  Data extends z.ZodType | undefined = z.ZodType | undefined,
> {
  /** The operation's name in the OpenAPI document, the journal and faults: `payment-intent.create`. */
  readonly name: string;
  readonly summary: string;
  /** The part of the service's document that it follows, such as `4.1`; a page or endpoint that the document does not have names its assumption. */
  readonly source: string;
  readonly service: "api" | "auth";
  readonly method: "GET" | "POST" | "PUT" | "PATCH" | "DELETE";
  /** As the document writes it: `/api/payment-intent/{intentId}/confirm`. */
  readonly path: string;
  readonly credential: Words["credential"];
  readonly params?: Params;
  readonly query?: Query;
  readonly body?: Body;
  /** Body formats; JSON alone by default. */
  readonly accepts?: readonly ("json" | "form")[];
  /** The schema of a success's data; undefined when the answer is a page or has a shape of its own. */
  readonly data?: Data;
  /** The schema of an answer that is not wrapped like others. */
  readonly plain?: z.ZodType;
  /** Whether success makes something new, which has a status of its own. */
  readonly creates?: boolean;
  /** Whether an `Idempotency-Key` is honoured; by default on everything that changes something. */
  readonly idempotent?: boolean;
  /** The errors of its own; those that every route shares are added by the OpenAPI document. */
  readonly errors: readonly Words["error"]["code"][];
  /** What its errors say beside the common shape, such as OAuth's `error`. */
  readonly errorFields?: (error: Words["error"]) => Readonly<Record<string, unknown>>;
  /** The assumptions that its answer rests on. */
  readonly assumes: readonly Words["assumption"][];
  readonly handle: (
    call: Call<Parsed<Params>, Parsed<Query>, Parsed<Body>, Words["caller"]>,
    commands: Commands,
  ) => Result<Data extends z.ZodType ? z.input<Data> : never, Words["error"]>;
}

/** A route of any shape that calls these commands. */
export type RouteOn<Commands, Words extends ServiceWords = ServiceWords> = Omit<
  Route<Words, never>,
  "handle" | "errorFields"
> & {
  readonly errorFields?: (error: never) => Readonly<Record<string, unknown>>;
  readonly handle: (call: never, commands: Commands) => Result<unknown>;
};

/** A route of any shape on any commands. */
export type AnyRoute<Words extends ServiceWords = ServiceWords> = RouteOn<never, Words>;

/** Declares a service's routes on these commands; it only gives the compiler what it needs to type the handler. */
export function routesOf<Words extends ServiceWords, Commands>() {
  return <
    Params extends z.ZodObject | undefined = undefined,
    Query extends z.ZodObject | undefined = undefined,
    Body extends z.ZodType | undefined = undefined,
    Data extends z.ZodType | undefined = undefined,
  >(
    route: Route<Words, Commands, Params, Query, Body, Data>,
  ): Route<Words, Commands, Params, Query, Body, Data> => route;
}
