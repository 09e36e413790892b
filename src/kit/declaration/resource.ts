import type * as z from "zod/mini";
import type { Assumptions } from "../assumptions/assumptions.ts";
import type { AssumptionTable, IdOf } from "../assumptions/entry.ts";
import type { Engine } from "../engine/engine.ts";
import type { Fact } from "../engine/facts.ts";
import type { Forgettable } from "../engine/history.ts";
import type { Lifecycle } from "../engine/lifecycle.ts";
import type { Faults } from "../faults/faults.ts";
import type { FaultFamily } from "../faults/declaration.ts";
import type { RouteOn, ServiceWords } from "../http/route.ts";
import type { ActTable } from "./act.ts";

/** The type parameters of a service: those of its routes, and the table of its assumptions. */
export interface DeclaredWords extends ServiceWords {
  readonly table: AssumptionTable;
}

/** The words of a service that only merchants call. */
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
export interface Events<Words extends DeclaredWords, Commands> {
  /** Their name in the OpenAPI document. */
  readonly name: string;
  readonly summary: string;
  /** The facts that are sent to merchants. All others stay inside. */
  readonly announced: readonly string[];
  /** The schema of every event's body. */
  readonly schema: z.ZodMiniObject;
  /** The assumptions that their types and bodies rest on. */
  readonly assumes?: readonly Words["assumption"][];
  /** Returns the event of an announced fact, or undefined if no merchant is to get it. */
  readonly tell: (fact: Fact, commands: Commands) => Told | undefined;
}

/** The declaration of a resource. */
export interface Resource<Words extends DeclaredWords, Commands> {
  readonly name: string;
  /** The machines of its rows; empty for rows without states. */
  readonly lifecycles: readonly DeclaredLifecycle[];
  /** Opens its commands in a world that has not begun. */
  readonly open: (ground: Ground<Words>, of: Of) => Commands;
  /** Its endpoints, which call these commands and no others. */
  readonly routes: readonly RouteOn<Commands, Words>[];
  /** Descriptions of the first parts of its routes' names, for the OpenAPI document. */
  readonly tags: Readonly<Record<string, string>>;
  readonly events?: Events<Words, Commands>;
  /** The faults that only its own commands fire. */
  readonly faults?: readonly FaultFamily[];
  /** Returns its reaction to facts of any resource. */
  readonly reactions?: (commands: Commands, of: Of) => (fact: Fact) => void;
  /** Says how a bounded world forgets what has finished, by history. Commands finish ids in these histories. */
  readonly forgets?: Readonly<Record<string, (commands: Commands) => Forgettable>>;
  /** The acts of a test on it. */
  readonly acts?: ActTable<Commands>;
  /** Returns the readers of a test, by their names on a simulator. */
  readonly view: (commands: Commands, ground: Ground<Words>) => object;
}

/** What a resource has unless its declaration says otherwise: rows without states. */
const USUAL = { lifecycles: [], tags: {}, view: () => ({}) };

/** A resource as a service declares it. */
type DeclaredResource<Words extends DeclaredWords, Commands> = Omit<Resource<Words, Commands>, keyof typeof USUAL> &
  Partial<Pick<Resource<Words, Commands>, keyof typeof USUAL>>;

/** A declared resource, with the types from which the service derives those of its routes, events, faults, acts and readers. */
type Known<Words extends DeclaredWords, Commands, Declared> = Omit<Resource<Words, Commands>, Typed> &
  Pick<Declared, keyof Declared & Typed> & { readonly [Absent in Exclude<Typed, keyof Declared | "view">]?: never } & {
    readonly view: Declared extends { readonly view: infer Own } ? Own : () => {};
  };
type Typed = "routes" | "events" | "faults" | "acts" | "view";

/** A resource of any type, for lists. */
export interface AnyResource<Words extends DeclaredWords> extends Omit<Resource<Words, never>, "open"> {
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
  return <const Declared extends DeclaredResource<Words, Commands>>(
    resource: Declared,
  ): Known<Words, Commands, Declared> => ({ ...USUAL, ...resource }) as unknown as Known<Words, Commands, Declared>;
}
