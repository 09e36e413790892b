import type * as z from "zod/mini";
import type { Simulator } from "../../simulator/simulator.ts";
import type { HostedWorlds, MainWorld } from "../hosted-worlds.ts";

type Parsed<Schema> = Schema extends z.ZodMiniType ? z.output<Schema> : undefined;

/** One call of the control API: everything is checked and typed. */
export interface ControlCall<Params, Query, Body> {
  readonly params: Params;
  readonly query: Query;
  readonly body: Body;
  readonly headers: Headers;
  /** Ends when the client has left. */
  readonly signal: AbortSignal;
}

/** What a route of a world acts on. */
export interface ControlGround extends MainWorld {
  readonly sim: Simulator;
  /** The address at which the world is reached. */
  readonly baseUrl: string;
  /** The named worlds of the server. */
  readonly worlds: HostedWorlds;
  /** Makes an address of the server's inspector. */
  readonly inspectorUrl: () => string;
}

/** How a member of a simulator calls a route. */
export interface RouteMember {
  /** The fields that it takes one by one, in this order. Its last argument may be an object with the others. */
  readonly takes?: readonly string[];
  /** The field of the answer that it returns; the whole answer by default. */
  readonly gives?: string;
  /** Whether it is a property instead of a function. */
  readonly isProperty?: true;
}

/** A route of the control API as it is declared. Dispatch, the OpenAPI document and the remote client derive from it. */
export interface DeclaredControlRoute<
  Params extends z.ZodMiniObject | undefined = z.ZodMiniObject | undefined,
  Query extends z.ZodMiniObject | undefined = z.ZodMiniObject | undefined,
  Body extends z.ZodMiniType | undefined = z.ZodMiniType | undefined,
  Data extends z.ZodMiniType | undefined = z.ZodMiniType | undefined,
  Ground = ControlGround,
> {
  /** Its name in the OpenAPI document. */
  readonly name: string;
  readonly summary: string;
  readonly method: "GET" | "POST" | "PUT" | "DELETE";
  /** Below `/_centavo/api/v1`. */
  readonly path: string;
  readonly params?: Params;
  readonly query?: Query;
  /** The headers that it reads, with what each holds. */
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: Body;
  /** What it answers, as JSON; without it, and without `text`, 204. */
  readonly data?: Data;
  /** The type of an answer that is no JSON. It may stand beside `data`, for clients that accept it. */
  readonly text?: "text/plain" | "text/html" | "text/event-stream";
  /** Whether it answers 201, or 201 only `once` for the same call and then 200. */
  readonly creates?: true | "once";
  /**
   * The members of a simulator that call it, by name. The remote simulator has them under the same names. One whose name begins with `#` is
   * a part of another member.
   */
  readonly members?: Readonly<Record<string, RouteMember>>;
  /** Whether a world that is full takes it, as all that only reads: it adds no rows, or takes them away. */
  readonly whenFull?: true;
  /** Whether a world that its test owns takes it from others, as all that only reads: it leaves the world as it is. */
  readonly whenOwned?: true;
  readonly perform: (
    ground: Ground,
    call: ControlCall<Parsed<Params>, Parsed<Query>, Parsed<Body>>,
  ) => Performed<Data> | Promise<Performed<Data>>;
}

type Performed<Data> = (Data extends z.ZodMiniType ? z.input<Data> : void) | Response;

/** A control route of any shape. */
export type ControlRoute<Ground = ControlGround> = Omit<DeclaredControlRoute, "perform"> & {
  readonly perform: (ground: Ground, call: never) => unknown;
};

/** Declares a control route. It is a function so that TypeScript infers the types of `perform` from the schemas. */
export function control<
  Params extends z.ZodMiniObject | undefined = undefined,
  Query extends z.ZodMiniObject | undefined = undefined,
  Body extends z.ZodMiniType | undefined = undefined,
  Data extends z.ZodMiniType | undefined = undefined,
  Ground = ControlGround,
>(route: DeclaredControlRoute<Params, Query, Body, Data, Ground>): ControlRoute<Ground> {
  return route;
}

/** Whether a route may change its world. */
export function mayChange({ method, whenOwned }: Pick<ControlRoute, "method" | "whenOwned">): boolean {
  return method !== "GET" && whenOwned === undefined;
}

/** Whether a route may add rows to its world. */
export function mayAddRows({ method, whenFull }: Pick<ControlRoute, "method" | "whenFull">): boolean {
  return method === "POST" && whenFull === undefined;
}
