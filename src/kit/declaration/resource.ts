import type * as z from "zod/mini";
import type { Assumptions } from "../assumptions/assumptions.ts";
import type { AssumptionTable, IdOf } from "../assumptions/entry.ts";
import type { Engine } from "../engine/engine.ts";
import type { Fact } from "../engine/facts.ts";
import type { Forgettable } from "../engine/history.ts";
import type { Lifecycle } from "../engine/lifecycle.ts";
import type { Faults } from "../faults/faults.ts";
import type { RouteOn, ServiceWords } from "../http/route.ts";
import type { ActTable } from "./act.ts";
import type { Reader } from "./reader.ts";

/** The type parameters of a service: those of its routes, and the table of its assumptions. */
export interface DeclaredWords extends ServiceWords {
  readonly table: AssumptionTable;
}

/** The words of a service whose only callers are merchants. */
export interface MerchantWords<Credential extends string, Table extends AssumptionTable> extends DeclaredWords {
  readonly credential: Credential;
  readonly caller: { readonly merchantId: string };
  readonly assumption: IdOf<Table>;
  readonly table: Table;
}

/** The parts of a world on which a resource opens. */
export interface Ground<Words extends DeclaredWords> {
  readonly engine: Engine;
  readonly assumptions: Assumptions<Words["table"]>;
  readonly faults: Faults;
  readonly baseUrl: string;
  readonly authUrl: string;
}

/** Returns the commands of a resource that is earlier in the list. */
export type Of = <Commands>(resource: { readonly open: (ground: never, of: Of) => Commands }) => Commands;

/** A machine of a resource, with its public status words. */
export interface DeclaredLifecycle {
  readonly lifecycle: Pick<Lifecycle, "name" | "machine" | "whenDue">;
  /** The wire word of every state. */
  readonly statusOf: Readonly<Record<string, string>>;
  /** The schema of the wire words. */
  readonly status: z.ZodMiniType<string> & { readonly options: readonly string[] };
  /** The history with which a bounded world forgets its rows, a key of some resource's `forgets`; or `never`. */
  readonly forgottenWith: string;
}

/** An event that tells a merchant of a fact. */
export interface Told {
  readonly merchantId: string;
  /** The resource's own receiver. */
  readonly webhookUrl?: string | undefined;
  /** The fields of the body that not every event has. */
  readonly content: object;
}

/** The events of a resource. */
export interface Events<Commands> {
  /** Their name in the OpenAPI document. */
  readonly name: string;
  readonly summary: string;
  /** The facts that are sent to merchants. All others stay inside. */
  readonly announced: readonly string[];
  /** The schema of every event's body. */
  readonly schema: z.ZodMiniObject;
  /** Returns the event of an announced fact, or undefined if no merchant is to get it. */
  readonly tell: (fact: Fact, commands: Commands) => Told | undefined;
}

/** Readers by their names on a simulator. */
export type Readers = Readonly<Record<string, Reader<unknown, never>>>;

/** The declaration of a resource. */
export interface Resource<
  Words extends DeclaredWords,
  Commands,
  Views extends Readers,
  Acts extends ActTable<Commands> = never,
  Routes extends readonly RouteOn<Commands, Words>[] = readonly RouteOn<Commands, Words>[],
> {
  readonly name: string;
  /** The machines of its rows; empty for rows without states. */
  readonly lifecycles: readonly DeclaredLifecycle[];
  /** Opens its commands in a world that has not begun. */
  readonly open: (ground: Ground<Words>, of: Of) => Commands;
  /** Its endpoints, which call these commands and no others. */
  readonly routes: Routes;
  /** Descriptions of the first parts of its routes' names, for the OpenAPI document. */
  readonly tags: Readonly<Record<string, string>>;
  readonly events?: Events<Commands>;
  /** Returns its reaction to facts of any resource. */
  readonly reactions?: (commands: Commands, of: Of) => (fact: Fact) => void;
  /** Says how a bounded world forgets what has finished, by history. Commands finish ids in these histories. */
  readonly forgets?: Readonly<Record<string, (commands: Commands) => Forgettable>>;
  /** The acts of a test on it. */
  readonly acts?: Acts;
  /** Returns the readers of a test. */
  readonly view: (commands: Commands, ground: Ground<Words>) => Views;
}

/** What a resource has unless its declaration says otherwise: rows without states. */
const USUAL = { lifecycles: [], tags: {} };

type Optional = keyof typeof USUAL | "view";

/** A resource as a service declares it. */
type DeclaredResource<
  Words extends DeclaredWords,
  Commands,
  Views extends Readers,
  Acts extends ActTable<Commands>,
  Routes extends readonly RouteOn<Commands, Words>[],
> = Omit<Resource<Words, Commands, Views, Acts, Routes>, Optional> &
  Partial<Pick<Resource<Words, Commands, Views, Acts, Routes>, Optional>>;

/** A resource of any type, for lists. */
export interface AnyResource<Words extends DeclaredWords> extends Omit<
  Resource<Words, never, Readers, ActTable<never>>,
  "open"
> {
  readonly open: (ground: Ground<Words>, of: Of) => unknown;
}

/**
 * Returns a function that declares a resource. Mounted routes, fault names, the OpenAPI document, readers and events derive from the
 * declaration.
 *
 * @example
 * const charges = resourcesOf<Words, Charges>()({
 *   name: "charges",
 *   lifecycles: [{ lifecycle: chargeLifecycle, statusOf, status: chargeStatus, forgottenWith: "never" }],
 *   open: ({ engine }) => new Charges(engine),
 *   routes: chargeRoutes,
 *   tags: { charge: "Payments" },
 *   view: (charges) => ({ charges: readerOf("charges", charges.rows, chargeView) }),
 * });
 */
export function resourcesOf<Words extends DeclaredWords, Commands>() {
  return <
    Routes extends readonly RouteOn<Commands, Words>[],
    Views extends Readers = {},
    Acts extends ActTable<Commands> = never,
  >(
    resource: DeclaredResource<Words, Commands, Views, Acts, Routes>,
  ): Resource<Words, Commands, Views, Acts, Routes> => ({
    ...USUAL,
    view: () => ({}) as Views,
    ...resource,
  });
}
