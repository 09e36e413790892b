import type * as z from "zod/mini";
import type { Of } from "../kit/declaration/resource.ts";
import type { Assumptions, ChangeableAssumptionId } from "./assumption-table.ts";
import type { DeclineCode } from "./decline-codes.ts";

/** Plausible data of a shop and its customers, drawn from the world's seed. */
export interface ShopData {
  contact(): { readonly name: string; readonly email: string; readonly phone: string };
  /** Draws an order of this amount, or of any amount if this one is invalid: the service itself refuses it. */
  order(amount: unknown): { readonly externalId: string; readonly amount: number; readonly description: string };
  plan(): { readonly name: string; readonly amount: number; readonly interval: "month" };
  externalId(kind: "order" | "member"): string;
  /** The merchant's receiver. */
  readonly receiver: string;
}

/** The parts of a route that type a call of it. */
interface CalledRoute {
  readonly name: string;
  readonly params?: z.ZodMiniType | undefined;
  readonly body?: z.ZodMiniType | undefined;
  readonly data?: z.ZodMiniType | undefined;
}

type Parsed<Schema> = z.output<NonNullable<Schema> & z.ZodMiniType>;
type Named<Route, Name> = Extract<Route, { readonly name: Name }>;

/** Makes a call of the first merchant on one of these routes, and returns the data of the answer. */
export type MerchantCall<Route extends CalledRoute> = <const Name extends Route["name"]>(
  name: Name,
  content: {
    readonly params?: Parsed<Named<Route, Name>["params"]>;
    readonly body?: Parsed<Named<Route, Name>["body"]>;
  },
) => Promise<Parsed<Named<Route, Name>["data"]>>;

/** A world in which fixtures act as the first merchant, as customers and as the back office. */
export interface Site<Route extends CalledRoute = never, Readers = unknown> {
  readonly sim: Readers & {
    readonly baseUrl: string;
    readonly authUrl: string;
    readonly credentials: { readonly clientId: string; readonly clientSecret: string };
    readonly clock: { now(): string };
    readonly customer: {
      cancel(url: string): Promise<unknown>;
      failAuthentication(url: string | undefined): Promise<unknown>;
    };
    readonly fetch: (url: string, init: RequestInit) => Promise<Response>;
  };
  readonly of: Of;
  readonly call: MerchantCall<Route>;
}

/** A payment intent, as far as a decline and a challenge show in it. */
export interface PaidIntent {
  readonly id: string;
  readonly data: {
    readonly declineCode?: DeclineCode | undefined;
    readonly challenge?: { readonly id: string } | undefined;
  };
}

export type Subject<Where, Made> = Where & {
  readonly made: Made;
  /** The payment intent of its latest payment. */
  readonly intent: () => PaidIntent | undefined;
};

/** Something that the merchant, the customer or the back office does. */
export type Act<On> = (subject: On) => Promise<unknown>;

/** One step of the way: an act, or a status to wait for. */
export type Step<On, Status extends string = string> =
  | Act<On>
  | { readonly until: Status }
  | { readonly untilDeclined: DeclineCode };

/** The statuses that a decline leads to, with the codes that do not lead there, and why. Every other code does. */
export type DeclineTable<Status extends string = string> = {
  readonly [Each in Status]?: Readonly<Partial<Record<DeclineCode, string>>>;
};

/** The steps to each status. If a decline leads to the status, they depend on its code. */
export type StepTable<On, Status extends string, Declined> = {
  readonly [Each in Status]: Each extends keyof Declined
    ? (decline: DeclineCode | undefined, assumptions: Assumptions) => readonly Step<On, Status>[]
    : readonly Step<On, Status>[];
};

/** A status of a resource and, if a decline leads to it, the code of the decline. */
export type StatusOptions<Status extends string, Declined> =
  | { readonly status?: Exclude<Status, keyof Declined>; readonly decline?: never }
  | {
      readonly [Failed in keyof Declined]: {
        readonly status: Failed;
        /** The code of the decline; any code by default. */
        readonly decline?: Exclude<DeclineCode, keyof Declined[Failed]>;
      };
    }[keyof Declined];

/** A status, and the code of the decline that leads to it, if any. */
export interface Goal<Status extends string = string> {
  readonly status: Status;
  readonly decline?: DeclineCode | undefined;
}

/** An assumption under which nothing leads to a status, or to a decline. */
interface RuledOut extends Partial<Goal> {
  readonly assumption: ChangeableAssumptionId;
  readonly value: unknown;
}

export type OptionsOf<Maker> = Maker[keyof Maker] extends (options?: infer Options) => unknown
  ? NonNullable<Options>
  : never;
/** The function that makes a resource, with its name. */
export type MakerOf<Each> = Each extends Fixture<infer Maker, string> ? Maker : never;
export type ViewOf<Maker> = Maker[keyof Maker] extends (options?: never) => Promise<infer View> ? View : never;
type StatusOf<Maker> = NonNullable<OptionsOf<Maker>[keyof OptionsOf<Maker> & "status"]> & string;

/** How fixtures make any resource. */
export interface AnyFixture {
  /** The name of the function that makes one. */
  readonly make: string;
  /** The name of its machine, if it has one. */
  readonly lifecycle?: string;
  /** The status at which each event is announced. */
  readonly events?: Readonly<Record<string, string>>;
  /** What each event tells the merchant, as a sentence. */
  readonly tells?: Readonly<Record<string, string>>;
  /** The schema of the body that creates one, if `fields` are those of a body. */
  readonly body?: z.ZodMiniObject;
  readonly statuses?: readonly string[];
  /** The status unless a test asks for another. */
  readonly usual?: string;
  readonly declined?: DeclineTable;
  readonly ruledOut?: readonly RuledOut[];
  /** The fields of its creation that a test may give. */
  readonly fields: readonly string[];
  /** The resource that comes first, created with these fields, and the status that it needs. */
  readonly from?: (goal: Goal<never>) => readonly [fixture: AnyFixture, status: string];
  /** Draws the data of one resource, and returns the function that creates it. Forks may call that function first, to try it out. */
  readonly begin: (data: ShopData, fields: never) => (site: never, first: never) => Promise<unknown>;
  /** The steps to each status once it is created. */
  readonly steps?: Readonly<Record<string, unknown>>;
  readonly intent?: (site: never, made: never) => PaidIntent | undefined;
  /** When its status changes, in milliseconds since 1970, if no timer of the clock says so. */
  readonly due?: (made: never) => number;
  /** What the test gets: the resource as it is now; undefined once a bounded world has forgotten it. */
  readonly view: (site: never, made: never) => unknown;
}

/**
 * How fixtures make a resource.
 * @typeParam Maker an interface whose only member is the function that makes one
 */
export interface Fixture<Maker, Events extends string> extends AnyFixture {
  readonly make: keyof Maker & string;
  readonly events?: Readonly<Record<Events, StatusOf<Maker>>>;
  readonly tells?: Readonly<Record<NoInfer<Events>, string>>;
}

/** A fixture as a resource declares it. */
interface Declared<Maker, Events extends string, Where, First, Made, Refusals extends DeclineTable> extends Fixture<
  Maker,
  Events
> {
  readonly statuses?: readonly StatusOf<Maker>[];
  readonly usual?: StatusOf<Maker>;
  readonly declined?: Refusals;
  readonly from?: (goal: Goal<StatusOf<Maker>>) => readonly [fixture: AnyFixture, status: string];
  readonly begin: (
    data: ShopData,
    fields: Omit<OptionsOf<Maker>, "status" | "decline">,
  ) => (site: Where, first: First) => Promise<Made>;
  readonly steps?: StepTable<Subject<Where, Made>, StatusOf<Maker>, Refusals>;
  readonly intent?: (site: Where, made: Made) => PaidIntent | undefined;
  readonly due?: (made: Made) => number;
  readonly view: (site: Where, made: Made) => ViewOf<Maker> | undefined;
}

/**
 * Returns a function that declares how fixtures make a resource.
 * @typeParam Where the calls and readers that it uses
 * @typeParam First the view of the resource that comes first
 */
export function defineFixture<Maker, Where = Site, First = undefined>() {
  return <Made, const Refusals extends DeclineTable = {}, Events extends string = never>(
    fixture: Declared<Maker, Events, Where, First, Made, Refusals>,
  ): Fixture<Maker, Events> => fixture;
}

/** Awaits a payment call. An error that the plan expects is ignored. */
export async function planned<Answer>(call: Promise<Answer>): Promise<Answer | undefined> {
  try {
    return await call;
  } catch (error) {
    // The payment's status shows later whether this was the plan.
    const code = error instanceof Error && "code" in error ? error.code : undefined;
    if (code === "INSUFFICIENT_FUNDS" || code === "INTERNAL_ERROR" || code === "3D_SECURE_REQUIRED") return undefined;
    throw error;
  }
}
