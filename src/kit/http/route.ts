import type * as z from "zod/mini";
import type { HttpError } from "./http-error.ts";
import type { FieldProblem } from "./problem.ts";

/** The caller. One that acts for a merchant has the merchant's id. */
export interface AnyCaller {
  readonly merchantId?: string;
}

/** The types of one service that its routes are written in. */
export interface ServiceWords {
  /** The kinds of credential that can open a route. */
  readonly credential: string;
  readonly caller: AnyCaller;
  readonly error: HttpError;
  /** The ids of its assumptions. */
  readonly assumption: string;
}

type Parsed<Schema> = Schema extends z.ZodMiniType ? z.output<Schema> : undefined;

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
  /** The base URL under which the token service was reached, without a trailing slash. */
  readonly publicAuthUrl: string;
  /** The `Authorization` header, for routes that read it themselves. */
  readonly authorization: string | undefined;
  /** Whether a browser asks for a page to show: its `Accept` names HTML. */
  readonly asksForPage: boolean;
}

/** A call as a check sees it: only the fields that their schemas take. */
export type CheckedFields<Query, Body, Params = unknown> = Pick<
  Call<never, never, never>,
  "merchantId" | "authorization"
> & {
  readonly params: Partial<Params>;
  readonly query: Partial<Query>;
  readonly body: Partial<Body>;
};

/** An answer as it is sent, such as a page. */
export interface RawAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  /** The error's code, for the journal. */
  readonly code?: string;
}

/** What a handler returns: the data of a success, a decline, or an answer as it is sent. */
export type Result<Data, Failure extends HttpError = HttpError> =
  | { readonly data: Data }
  | { readonly declined: Failure }
  | { readonly raw: RawAnswer };

/** The defaults of a route: it belongs to the API, and has no errors or assumptions of its own. */
const USUAL = { source: "", service: "api", errors: [], assumes: [] } as const;

/** An endpoint as a service declares it. */
export interface DeclaredRoute<
  Words extends ServiceWords,
  Commands,
  Params extends z.ZodMiniObject | undefined = z.ZodMiniObject | undefined,
  Query extends z.ZodMiniObject | undefined = z.ZodMiniObject | undefined,
  Body extends z.ZodMiniType | undefined = z.ZodMiniType | undefined,
  Data extends z.ZodMiniType | undefined = z.ZodMiniType | undefined,
  Name extends string = string,
> {
  /** The operation's name in the OpenAPI document, the journal and faults: `charge.create`. */
  readonly name: Name;
  readonly summary: string;
  /** Its call in the typed client, such as `charges.create`; without it, it has none. The comment on it is the call's documentation. */
  readonly client?: `${string}.${string}`;
  /** Its `operationId` in the OpenAPI document where another path has a route of the same name; the name by default. */
  readonly operationId?: string;
  /** The part of the service's document that it follows, such as `4.1`; for a page or endpoint that the document does not have, its assumption. */
  readonly source?: string;
  /** The base URL below which it stands; the API's by default. */
  readonly service?: "api" | "auth";
  readonly method: "GET" | "POST" | "PUT" | "PATCH" | "DELETE";
  /** As the document writes it: `/v1/charges/{chargeId}/capture`. */
  readonly path: string;
  readonly credential: Words["credential"];
  readonly params?: Params;
  /**
   * Its parameters that open what they name, with the shape of their values: `{ token: /[a-z\d]{32}/ }`. The journal shows the first 8
   * characters of such a value, in any address and in any field of that name.
   */
  readonly secrets?: Readonly<Partial<Record<keyof Parsed<Params> & string, RegExp>>>;
  readonly query?: Query;
  readonly body?: Body;
  /** Body formats; JSON alone by default. */
  readonly accepts?: readonly ("json" | "form")[];
  /** The schema of a success's data; undefined when the answer is a page or has its own shape. */
  readonly data?: Data;
  /** The schema of an answer that is not wrapped like the others. */
  readonly plain?: z.ZodMiniType;
  /** True when success creates something, which has its own status. */
  readonly creates?: boolean;
  /** False when an `Idempotency-Key` is ignored; every method but GET and HEAD honours it by default. */
  readonly idempotent?: boolean;
  /**
   * True for a document that never changes, such as public keys: its handler reads nothing of the call but the base URLs. Reading it is not
   * part of a run, so it is not journaled, and worlds at one address answer it together.
   */
  readonly isDocument?: boolean;
  /** False when no page may read its answers, because a caller sends a secret of the merchant's server. */
  readonly crossOrigin?: false;
  /** The codes of its own errors; the OpenAPI document adds those that every route shares. */
  readonly errors?: readonly Words["error"]["code"][];
  /** Returns what its errors say besides the common shape, such as OAuth's `error`. */
  readonly errorFields?: (error: Words["error"]) => Readonly<Record<string, unknown>>;
  /** Returns the page that shows one of its errors to a browser, which asks for HTML; without it, browsers get what programs get. */
  readonly errorPage?: (error: Words["error"]) => RawAnswer;
  /** The assumptions that its answer rests on. */
  readonly assumes?: readonly Words["assumption"][];
  /**
   * Throws the service's error if what the path names does not exist for the caller, where a service looks for it before it checks fields.
   * It changes nothing.
   */
  readonly find?: (
    call: Pick<Call<Parsed<Params>, never, never, Words["caller"]>, "params" | "caller" | "merchantId">,
    commands: Commands,
  ) => void;
  /**
   * Returns what is wrong with fields that their schemas take, so that one answer names every offending field. It changes nothing, and is
   * also asked when the schemas have refused other fields.
   */
  readonly check?: (
    fields: CheckedFields<Parsed<Query>, Parsed<Body>, Parsed<Params>>,
    commands: Commands,
  ) => readonly FieldProblem[];
  readonly handle: (
    call: Call<Parsed<Params>, Parsed<Query>, Parsed<Body>, Words["caller"]>,
    commands: Commands,
  ) => Result<Data extends z.ZodMiniType ? z.input<Data> : never, Words["error"]>;
}

/** One endpoint as data: routing, validation, the OpenAPI document and the vocabulary of faults are derived from it. */
export type Route<
  Words extends ServiceWords,
  Commands,
  Params extends z.ZodMiniObject | undefined = z.ZodMiniObject | undefined,
  Query extends z.ZodMiniObject | undefined = z.ZodMiniObject | undefined,
  Body extends z.ZodMiniType | undefined = z.ZodMiniType | undefined,
  Data extends z.ZodMiniType | undefined = z.ZodMiniType | undefined,
  Name extends string = string,
> = DeclaredRoute<Words, Commands, Params, Query, Body, Data, Name> &
  Required<Pick<DeclaredRoute<Words, Commands>, keyof typeof USUAL>>;

/** A route of any shape that calls these commands. */
export type RouteOn<Commands, Words extends ServiceWords = ServiceWords> = Omit<
  Route<Words, never>,
  "handle" | "errorFields" | "errorPage" | "check" | "find"
> & {
  readonly find?: (call: never, commands: Commands) => void;
  readonly check?: (fields: never, commands: Commands) => readonly FieldProblem[];
  readonly errorFields?: (error: never) => Readonly<Record<string, unknown>>;
  readonly errorPage?: (error: never) => RawAnswer;
  readonly handle: (call: never, commands: Commands) => Result<unknown>;
};

/** A route of any shape on any commands. */
export type AnyRoute<Words extends ServiceWords = ServiceWords> = RouteOn<never, Words>;

/** Returns the function that declares a service's routes on these commands. It types the handler and fills in the defaults. */
export function routesOf<Words extends ServiceWords, Commands>() {
  return <
    Params extends z.ZodMiniObject | undefined = undefined,
    Query extends z.ZodMiniObject | undefined = undefined,
    Body extends z.ZodMiniType | undefined = undefined,
    Data extends z.ZodMiniType | undefined = undefined,
    Name extends string = string,
  >(
    route: DeclaredRoute<Words, Commands, Params, Query, Body, Data, Name>,
  ): Route<Words, Commands, Params, Query, Body, Data, Name> => ({ ...USUAL, ...route });
}
