import type * as z from "zod/mini";
import type { Simulator } from "../../simulator/simulator.ts";

type Parsed<Schema> = Schema extends z.ZodMiniType ? z.output<Schema> : undefined;

/** One call of the control API: everything is checked and typed. */
export interface ControlCall<Params, Query, Body> {
  readonly params: Params;
  readonly query: Query;
  readonly body: Body;
  /** Ends when the client has left. */
  readonly signal: AbortSignal;
}

/** What a control route acts on. */
export interface ControlGround {
  readonly sim: Simulator;
  /** The world's name; undefined for the default world. */
  readonly name?: string | undefined;
}

/** A route of the control API as it is declared. Dispatch, the OpenAPI document and the remote client derive from it. */
export interface DeclaredControlRoute<
  Params extends z.ZodMiniObject | undefined = z.ZodMiniObject | undefined,
  Query extends z.ZodMiniObject | undefined = z.ZodMiniObject | undefined,
  Body extends z.ZodMiniType | undefined = z.ZodMiniType | undefined,
  Data extends z.ZodMiniType | undefined = z.ZodMiniType | undefined,
> {
  /** Its member of a simulator, such as `clock.advance`: the remote simulator has it under the same name. */
  readonly name: string;
  readonly summary: string;
  readonly method: "GET" | "POST" | "PUT" | "DELETE";
  /** Below `/_centavo/api/v1`. */
  readonly path: string;
  readonly params?: Params;
  readonly query?: Query;
  readonly body?: Body;
  /** What it answers, as JSON; without it, 204. */
  readonly data?: Data;
  /** The fields that the member takes one by one, in this order. Its last argument may be an object with the others. */
  readonly takes?: readonly string[];
  /** The field of the answer that the member returns; the whole answer by default. */
  readonly gives?: string;
  readonly perform: (
    ground: ControlGround,
    call: ControlCall<Parsed<Params>, Parsed<Query>, Parsed<Body>>,
  ) => Parsed<Data> | Promise<Parsed<Data>>;
}

/** A control route of any shape. */
export type ControlRoute = Omit<DeclaredControlRoute, "perform"> & {
  readonly perform: (ground: ControlGround, call: never) => unknown;
};

/** Declares a control route. It is a function so that TypeScript infers the types of `perform` from the schemas. */
export function control<
  Params extends z.ZodMiniObject | undefined = undefined,
  Query extends z.ZodMiniObject | undefined = undefined,
  Body extends z.ZodMiniType | undefined = undefined,
  Data extends z.ZodMiniType | undefined = undefined,
>(route: DeclaredControlRoute<Params, Query, Body, Data>): ControlRoute {
  return route;
}
