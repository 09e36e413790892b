import { Routers } from "../http/router.ts";
import type { OverridesOf } from "../assumptions/entry.ts";
import { CentavoError } from "../base/errors/centavo-error.ts";
import type { FaultFamily } from "../faults/declaration.ts";
import { KnownFaults } from "../faults/reading.ts";
import type { RoutedService } from "../http/call-selectors.ts";
import type { DeclaredHttpPolicies } from "../http/policies.ts";
import type { Fact } from "../engine/facts.ts";
import { Redaction } from "../base/redaction/redaction.ts";
import type { DeclaredSecrets, SecretParameters } from "../base/redaction/redaction.ts";
import type { WebhookPolicies } from "../webhooks/policies.ts";
import { withUsualCodes } from "./description.ts";
import type { DeclaredErrors, ServiceErrors } from "./description.ts";
import type { AnyResource, DeclaredWords, Ground, Of } from "./resource.ts";
import { routingUnder } from "./rerouting.ts";
import type { Rerouting, Routing } from "./rerouting.ts";

/** The options with which a world begins. */
export interface Beginning {
  /** The first merchant's receiver. */
  readonly webhookUrl: string | undefined;
  /** The ids and secrets that the test gives the first merchant, as it wrote them. */
  readonly credentials: unknown;
}

/** How merchants are told of the facts of one unit in another order than that in which they happened. */
export interface Reordering {
  /** Whether merchants are told of a fact only at the end of its unit. */
  holds(fact: Fact): boolean;
  /** Puts the held facts of a unit into the order in which merchants are told of them. What it leaves out, no merchant is told of. */
  inOrder(held: readonly Fact[]): readonly Fact[];
}

/** The declaration of a service: a list of resources, and what they share. */
export interface ServiceDeclaration<
  Words extends DeclaredWords,
  Resources extends readonly AnyResource<Words>[] = readonly AnyResource<Words>[],
> {
  /** What messages on the diagnostics channels call it. */
  readonly name: string;
  /**
   * The order matters: a resource can use only the commands of resources before it, and resources react to facts in this order.
   */
  readonly resources: Resources;
  readonly assumptions: Words["table"];
  /** What the journal must not hold, beyond the routes' secret parameters and what is secret in every service. */
  readonly secrets?: DeclaredSecrets;
  /** Returns the kinds of fault that no resource declares, with the routes, errors and event types that a fault can name. */
  readonly faults: (service: RoutedService, eventTypes: readonly string[]) => readonly FaultFamily[];
  readonly errors: DeclaredErrors<Words["error"]["code"]>;
  readonly http: (ground: Ground<Words>, of: Of) => DeclaredHttpPolicies<Words>;
  readonly webhooks: (ground: Ground<Words>, of: Of) => WebhookPolicies;
  /** How assumptions change its routes; by default they do not. */
  readonly rerouting?: Rerouting<Words, OverridesOf<Words["table"]>>;
  /** Returns the order in which merchants are told of facts; by default, that in which they happened. */
  readonly reordering?: (ground: Ground<Words>) => Reordering;
  /** Returns a merchant's receiver, for resources without their own. */
  readonly receiverOf: (merchantId: string, of: Of) => string | undefined;
  /** Writes the first rows of a new world. Runs as one unit. */
  readonly begin: (of: Of, beginning: Beginning) => void;
}

/** A checked service, with the names that its faults can use. */
export interface DefinedService<
  Words extends DeclaredWords,
  Resources extends readonly AnyResource<Words>[] = readonly AnyResource<Words>[],
> extends ServiceDeclaration<Words, Resources> {
  readonly errors: ServiceErrors<Words["error"]["code"]>;
  /** The types of event that it announces. */
  readonly eventTypes: readonly string[];
  readonly knownFaults: KnownFaults;
  readonly redaction: Redaction;
  readonly routers: Routers;
  /**
   * Returns the routing of a world with these values of assumptions.
   * @param from begins the message
   * @throws {CentavoError} `INVALID_ASSUMPTION` when two routes would have one path
   */
  readonly routingUnder: (overrides: OverridesOf<Words["table"]>, from: string) => Routing;
}

/** The values that a test sets for a service's assumptions. */
export type AssumptionsOf<Words extends DeclaredWords> = OverridesOf<Words["table"]>;

/**
 * Declares a service.
 * @throws {CentavoError} `INVALID_OPTION` when two resources share a name, route, lifecycle, tag, announced fact, act or history, or when no
 *   resource forgets the history of a lifecycle
 */
export function defineService<
  Words extends DeclaredWords,
  Resources extends readonly AnyResource<Words>[] = readonly AnyResource<Words>[],
>(service: ServiceDeclaration<Words, Resources>): DefinedService<Words, Resources> {
  const { resources } = service;
  const names = {
    name: resources.map(({ name }) => name),
    route: resources.flatMap(({ routes }) => routes.map(({ name }) => name)),
    lifecycle: resources.flatMap(({ lifecycles }) => lifecycles.map(({ lifecycle }) => lifecycle.name)),
    tag: resources.flatMap(({ tags }) => Object.keys(tags)),
    event: resources.flatMap(({ events }) => events?.announced ?? []),
    act: resources.flatMap(({ acts = {} }) => Object.keys(acts)),
    history: resources.flatMap(({ forgets = {} }) => Object.keys(forgets)),
  };
  for (const [kind, all] of Object.entries(names)) {
    const twice = all.find((name, index) => all.indexOf(name) !== index);
    if (twice !== undefined)
      throw new CentavoError("INVALID_OPTION", `defineService: two resources declare the ${kind} "${twice}".`);
  }
  for (const { lifecycle, forgottenWith } of resources.flatMap(({ lifecycles }) => lifecycles))
    if (forgottenWith !== "never" && !names.history.includes(forgottenWith))
      throw new CentavoError(
        "INVALID_OPTION",
        `defineService: the rows of "${lifecycle.name}" are forgotten with "${forgottenWith}", but no resource declares "${forgottenWith}" in forgets.`,
      );
  const routes = routesIn(service);
  const parameters = Object.assign({}, ...routes.map(({ secrets }) => secrets)) as SecretParameters;
  const errors = Object.keys(service.errors.table);
  const knownFaultsOf = (known: RoutedService["routes"]): KnownFaults =>
    new KnownFaults([...service.faults({ routes: known, errors }, names.event), ...faultFamiliesIn(resources)]);
  const redactionOf = (fields: readonly string[]): Redaction =>
    new Redaction({ ...service.secrets, fields: [...(service.secrets?.fields ?? []), ...fields] }, parameters);
  const usual = {
    routers: new Routers(resources.flatMap((resource) => resource.routes.map((route) => ({ route, resource })))),
    knownFaults: knownFaultsOf(routes),
    redaction: redactionOf([]),
  };
  return {
    ...service,
    ...usual,
    errors: withUsualCodes(service.errors),
    eventTypes: names.event,
    routingUnder: routingUnder(service.rerouting, usual, { knownFaultsOf, redactionOf }),
  };
}

/** Returns every route of a service, in the order of its resources. */
export function routesIn<Words extends DeclaredWords>({ resources }: Pick<ServiceDeclaration<Words>, "resources">) {
  return resources.flatMap(({ routes }) => routes);
}

/** Returns the families of fault that resources declare, and the compiler knows them. */
export function faultFamiliesIn<Resources extends readonly { readonly faults?: readonly FaultFamily[] }[]>(
  resources: Resources,
): NonNullable<Resources[number]["faults"]>[number][] {
  return resources.flatMap(({ faults = [] }) => faults);
}

/** Returns the names of the routes that resources declare, and the compiler knows them. */
export function routeNamesIn<Resources extends readonly { readonly routes: readonly { readonly name: string }[] }[]>(
  resources: Resources,
): Resources[number]["routes"][number]["name"][] {
  return resources.flatMap(({ routes }) => routes.map(({ name }) => name));
}

/** Returns the schemas of the events that resources declare, and the compiler knows them. */
export function eventSchemasIn<Resources extends readonly { readonly events?: { readonly schema: unknown } }[]>(
  resources: Resources,
): NonNullable<Resources[number]["events"]>["schema"][] {
  return resources.flatMap(({ events }) => (events === undefined ? [] : [events.schema]));
}
