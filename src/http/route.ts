import type { z } from "zod";
import type { AssumptionId } from "../assumptions/assumptions.ts";
import type { ApiError, ErrorCode } from "./errors.ts";

/** Who may call a route (part 5). A client key opens the one intent that it was made for (`auth.client-key`). */
export type Credential = "bearer" | "bearer-or-client-key" | "admin-key" | "none";

/** Who called, as the credential told. */
export type Caller =
  | { readonly kind: "merchant"; readonly merchantId: string }
  | { readonly kind: "client-key"; readonly merchantId: string; readonly intentId: string }
  | { readonly kind: "admin" }
  | { readonly kind: "nobody" };

type Parsed<Schema> = Schema extends z.ZodType ? z.output<Schema> : undefined;

/** One call as a handler sees it: everything is checked and typed. */
export interface Call<Params, Query, Body> {
  readonly params: Params;
  readonly query: Query;
  readonly body: Body;
  readonly caller: Caller;
  /** The merchant of a bearer token or client key; `""` where the route needs no merchant. */
  readonly merchantId: string;
  /** The base URL under which the service was reached, without a trailing slash; addresses in answers start with it. */
  readonly publicUrl: string;
  /** The `Authorization` header, for the token call alone. */
  readonly authorization: string | undefined;
}

/** An answer that is no enveloped JSON. */
export interface RawAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  /** The error's code, for the journal. */
  readonly code?: ErrorCode;
}

/** What a handler gives back: the envelope's `data`, a decline, or an answer of its own shape. */
export type Result<Data> = { readonly data: Data } | { readonly declined: ApiError } | { readonly raw: RawAnswer };

/** One endpoint, declared as data: routing, validation, the OpenAPI document, the client and the conformance table are derived from it. */
export interface Route<
  Commands,
  Params extends z.ZodObject | undefined = z.ZodObject | undefined,
  Query extends z.ZodObject | undefined = z.ZodObject | undefined,
  Body extends z.ZodType | undefined = z.ZodType | undefined,
  Data extends z.ZodType | undefined = z.ZodType | undefined,
> {
  /** The operation's name in the OpenAPI document, the journal and faults: `payment-intent.create`. */
  readonly name: string;
  readonly summary: string;
  /** The part of the service document that it follows, such as `4.1`; a page or endpoint that the document does not have names its assumption. */
  readonly source: string;
  readonly service: "api" | "auth";
  readonly method: "GET" | "POST" | "PATCH" | "DELETE";
  /** As the document writes it: `/api/payment-intent/{intentId}/confirm`. */
  readonly path: string;
  readonly credential: Credential;
  readonly params?: Params;
  readonly query?: Query;
  readonly body?: Body;
  /** Body formats; JSON alone by default. */
  readonly accepts?: readonly ("json" | "form")[];
  /** The schema of the envelope's `data`; undefined where the answer is a page or has a shape of its own. */
  readonly data?: Data;
  /** The schema of an answer outside the envelope. */
  readonly plain?: z.ZodType;
  /** Whether success makes something new, which answers 201 where `http.success-status` says so. */
  readonly creates?: boolean;
  /** Whether an `Idempotency-Key` is honoured; by default on everything that changes something. */
  readonly idempotent?: boolean;
  /** The errors of its own; those that every route shares are added by the OpenAPI document. */
  readonly errors: readonly ErrorCode[];
  /** What its errors say beside the common shape, such as OAuth's `error`. */
  readonly errorFields?: (error: ApiError) => Readonly<Record<string, unknown>>;
  /** The assumptions that its answer rests on. */
  readonly assumes: readonly AssumptionId[];
  handle(
    call: Call<Parsed<Params>, Parsed<Query>, Parsed<Body>>,
    commands: Commands,
  ): Result<Data extends z.ZodType ? z.input<Data> : never>;
}

/** A route of any shape. */
export type AnyRoute = Omit<Route<never>, "handle"> & {
  handle(call: Call<never, never, never>, commands: never): Result<unknown>;
};

/** Declares a route; only gives the compiler what it needs to type the handler. */
export function defineRoute<Commands>() {
  return <
    Params extends z.ZodObject | undefined = undefined,
    Query extends z.ZodObject | undefined = undefined,
    Body extends z.ZodType | undefined = undefined,
    Data extends z.ZodType | undefined = undefined,
  >(
    route: Route<Commands, Params, Query, Body, Data>,
  ): Route<Commands, Params, Query, Body, Data> => route;
}
