import type { OverridesOf } from "../assumptions/entry.ts";
import { CentavoError } from "../errors/centavo-error.ts";
import type { FaultFamily } from "../faults/declaration.ts";
import { KnownFaults } from "../faults/reading.ts";
import type { RoutedService } from "../http/call-selectors.ts";
import type { HttpPolicies } from "../http/policies.ts";
import type { WebhookPolicies } from "../webhooks/policies.ts";
import type { Description } from "./description.ts";
import type { AnyResource, DeclaredWords, Ground, Of } from "./resource.ts";

/** How a world begins. */
export interface Beginning {
  /** The first merchant's receiver. */
  readonly webhookUrl: string | undefined;
}

/** A service as a list of resources, and what is the same for all of them. */
export interface Service<
  Words extends DeclaredWords,
  Resources extends readonly AnyResource<Words>[] = readonly AnyResource<Words>[],
> {
  /**
   * The order has a meaning: a resource may use the commands of those before it, and facts are answered from the first resource to the
   * last.
   */
  readonly resources: Resources;
  readonly assumptions: Words["table"];
  /** What can go wrong on purpose, with the routes and types of events that a fault may name. */
  readonly faults: (service: RoutedService, eventTypes: readonly string[]) => readonly FaultFamily[];
  /** What the OpenAPI document says beside routes and events. */
  readonly description: Description<Words>;
  readonly http: (ground: Ground<Words>, of: Of) => HttpPolicies<Words>;
  readonly webhooks: (ground: Ground<Words>, of: Of) => WebhookPolicies;
  /** Returns the receiver of a merchant's events, for a resource that names none itself. */
  readonly receiverOf: (merchantId: string, of: Of) => string | undefined;
  /** Writes what every world has from its beginning, as one unit. */
  readonly begin: (of: Of, beginning: Beginning) => void;
}

/** A service whose lists were checked, and the vocabulary of its faults. */
export interface DefinedService<
  Words extends DeclaredWords,
  Resources extends readonly AnyResource<Words>[] = readonly AnyResource<Words>[],
> extends Service<Words, Resources> {
  readonly knownFaults: KnownFaults;
}

/** What a test may change of a service's assumptions. */
export type AssumptionsOf<Words extends DeclaredWords> = OverridesOf<Words["table"]>;

/**
 * Declares a service.
 * @throws {CentavoError} `INVALID_OPTION` when two resources have a name, a route, a tag, an announced fact, an act or a history in common; or when nobody
 *   forgets what a lifecycle is forgotten with
 */
export function defineService<
  Words extends DeclaredWords,
  Resources extends readonly AnyResource<Words>[] = readonly AnyResource<Words>[],
>(service: Service<Words, Resources>): DefinedService<Words, Resources> {
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
        `defineService: the rows of "${lifecycle.name}" are forgotten with "${forgottenWith}", which no resource forgets.`,
      );
  return { ...service, knownFaults: new KnownFaults(service.faults({ routes: routesIn(service) }, names.event)) };
}

/** Every route of a service, in the order of its resources. */
export function routesIn<Words extends DeclaredWords>({ resources }: Pick<Service<Words>, "resources">) {
  return resources.flatMap(({ routes }) => routes);
}
