import type { AnyStateMachine } from "xstate";
import type { z } from "zod";
import type { Assumptions } from "../assumptions/assumptions.ts";
import type { AssumptionTable } from "../assumptions/entry.ts";
import type { Engine } from "../engine/engine.ts";
import type { Fact } from "../engine/facts.ts";
import type { Forgettable } from "../engine/history.ts";
import type { Faults } from "../faults/faults.ts";
import type { RouteOn, ServiceWords } from "../http/route.ts";
import type { ActTable } from "./act.ts";
import type { Reader } from "./reader.ts";

/** The words of a service, with the table of its assumptions. */
export interface DeclaredWords extends ServiceWords {
  readonly table: AssumptionTable;
}

/** What a resource is opened on: one world, and where the service is in it. */
export interface Ground<Words extends DeclaredWords> {
  readonly engine: Engine;
  readonly assumptions: Assumptions<Words["table"]>;
  readonly faults: Faults;
  readonly baseUrl: string;
  readonly authUrl: string;
}

/** Returns the commands of a resource that stands earlier in the list. */
export type Of = <Commands>(resource: { readonly open: (ground: never, of: Of) => Commands }) => Commands;

/** A machine of a resource, and what of it is seen from outside. */
export interface DeclaredLifecycle {
  readonly lifecycle: { readonly name: string; readonly machine: AnyStateMachine };
  /** The word of every state on the wire. */
  readonly statusOf: Readonly<Record<string, string>>;
  /** The schema of those words. */
  readonly status: z.ZodEnum;
  /** The kind of history with which a bounded world forgets its rows, as some resource `forgets` it; or `never`. */
  readonly forgottenWith: string;
}

/** What a merchant is told of a fact. */
export interface Told {
  readonly merchantId: string;
  /** The receiver that the resource names itself. */
  readonly webhookUrl?: string | undefined;
  /** Makes the body's fields beside those of every event. It reads immutable rows and nothing of the world. */
  readonly content: () => object;
}

/** The events of a resource. */
export interface Events<Commands> {
  /** The name under which the OpenAPI document lists them. */
  readonly name: string;
  readonly summary: string;
  /** The facts that merchants are told of. Every other fact stays inside. */
  readonly announced: readonly string[];
  /** The body of every event. */
  readonly schema: z.ZodObject;
  /** Puts an announced fact into words; undefined when this one goes to nobody. */
  readonly tell: (fact: Fact, commands: Commands) => Told | undefined;
}

/** Readers by the name that they have on a simulator. */
export type Readers = Readonly<Record<string, Reader<unknown>>>;

/** Everything that makes a resource, declared once. */
export interface Resource<
  Words extends DeclaredWords,
  Commands,
  Views extends Readers,
  Acts extends ActTable<Commands> = never,
  Routes extends readonly RouteOn<Commands, Words>[] = readonly RouteOn<Commands, Words>[],
> {
  readonly name: string;
  /** The machines of its rows; none for a resource without a life of its own. */
  readonly lifecycles: readonly DeclaredLifecycle[];
  /** Makes its commands in a world that has not begun. */
  readonly open: (ground: Ground<Words>, of: Of) => Commands;
  /** Its endpoints, which call these commands and no others. */
  readonly routes: Routes;
  /** What the first part of its routes' names means, for the OpenAPI document. */
  readonly tags: Readonly<Record<string, string>>;
  readonly events?: Events<Commands>;
  /** What facts of any resource do to it. */
  readonly reactions?: (commands: Commands, of: Of) => (fact: Fact) => void;
  /** What a bounded world forgets once it has finished, by the kind that commands finish in the history. */
  readonly forgets?: Readonly<Record<string, (commands: Commands) => Forgettable>>;
  /** What a test does to it in the world's place. */
  readonly acts?: Acts;
  /** How a test reads it. */
  readonly view: (commands: Commands, ground: Ground<Words>) => Views;
}

/** A resource in a list with others. */
export interface AnyResource<Words extends DeclaredWords> extends Omit<
  Resource<Words, never, Readers, ActTable<never>>,
  "open"
> {
  readonly open: (ground: Ground<Words>, of: Of) => unknown;
}

/**
 * Declares a resource. Mounting, the vocabulary of faults, the OpenAPI document, readers and announcing are derived from it.
 *
 * @example
 * const charges = resourcesOf<Words, Charges>()({
 *   name: "charges",
 *   lifecycles: [{ lifecycle: chargeLifecycle, statusOf, status: chargeStatus, forgottenWith: "never" }],
 *   open: ({ engine }) => new Charges(engine),
 *   routes: chargeRoutes,
 *   tags: { charge: "Payments" },
 *   view: (charges) => ({ charges: readerOf(charges, chargeView) }),
 * });
 */
export function resourcesOf<Words extends DeclaredWords, Commands>() {
  return <
    Views extends Readers,
    Routes extends readonly RouteOn<Commands, Words>[],
    Acts extends ActTable<Commands> = never,
  >(
    resource: Resource<Words, Commands, Views, Acts, Routes>,
  ): Resource<Words, Commands, Views, Acts, Routes> => resource;
}
