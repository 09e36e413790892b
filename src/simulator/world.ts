import { Assumptions } from "../kit/assumptions/assumptions.ts";
import { errorOfCode, errorOfProblem } from "../kit/declaration/description.ts";
import type { DeclaredWords, Ground, Of, Told } from "../kit/declaration/resource.ts";
import type { AssumptionsOf, DefinedService, ServiceDeclaration } from "../kit/declaration/define-service.ts";
import { Engine } from "../kit/engine/engine.ts";
import type { Fact } from "../kit/engine/facts.ts";
import { Faults } from "../kit/faults/faults.ts";
import { Dispatcher } from "../kit/http/dispatcher.ts";
import type { Pace } from "../kit/http/pace.ts";
import type { Connections } from "../kit/receivers/connections.ts";
import { nextMacrotask } from "../kit/base/runtime/real-time.ts";
import { CustomerCookies } from "./customer-cookies.ts";
import { Outbox } from "../kit/webhooks/outbox.ts";

/** The options with which a world is opened. */
export interface WorldOptions {
  readonly baseUrl: string;
  readonly authUrl: string;
  readonly seed: string;
  readonly now: number;
  readonly keep: number;
  readonly recording: boolean;
  /** The values that the test sets for assumptions. They are not checked yet. */
  readonly assumptions: Readonly<Record<string, unknown>>;
  /** The call that they were given to, and the file that they were read from, for messages. */
  readonly assumptionsFrom: string;
  /** The connections to the merchants' apps. */
  readonly connections: Connections;
  readonly pace: Pace;
}

/** A world of a service. */
export interface World<Words extends DeclaredWords> extends Ground<Words> {
  readonly outbox: Outbox;
  readonly dispatcher: Dispatcher;
  readonly cookies: CustomerCookies;
  /** Returns the commands of a resource. */
  readonly of: Of;
}

/**
 * Opens a world of a declared service, without beginning it: the resources in the order of the list, and the kit around them.
 * @throws {CentavoError} `INVALID_ASSUMPTION`
 */
export function openWorld<Words extends DeclaredWords>(
  service: DefinedService<Words>,
  options: WorldOptions,
): World<Words> {
  const { baseUrl, authUrl, connections, pace } = options;
  const aliases = [
    { text: baseUrl, name: "{base_url}" },
    { text: authUrl, name: "{auth_url}" },
  ];
  const assumptions = new Assumptions<Words["table"]>(
    service.assumptions,
    options.assumptions as AssumptionsOf<Words>,
    options.assumptionsFrom,
  );
  const { routers, knownFaults, redaction } = service.routingUnder(assumptions.overrides, options.assumptionsFrom);
  const engine = new Engine({
    ...options,
    journal: { aliases, redaction },
  });
  const faults = new Faults({ engine, known: knownFaults });
  const ground = { engine, assumptions, faults, baseUrl, authUrl };
  const opened = new Map<object, unknown>();
  const of: Of = (resource) => {
    if (!opened.has(resource))
      throw new TypeError("A resource can use only resources that stand before it in the list.");
    return opened.get(resource) as ReturnType<typeof resource.open>;
  };
  for (const resource of service.resources) {
    opened.set(resource, resource.open(ground, of));
    for (const [name, forgettable] of Object.entries(resource.forgets ?? {}))
      engine.history.track(name, forgettable(of(resource) as never));
  }

  const outbox = new Outbox({
    service: service.name,
    assumptions: assumptions.overrides,
    engine,
    faults,
    policies: service.webhooks(ground, of),
    receivers: connections,
  });
  const dispatcher = new Dispatcher({
    service: service.name,
    assumptions: assumptions.overrides,
    engine,
    faults,
    policies: {
      errorOf: (problem) => errorOfProblem(service.errors, problem),
      errorOfCode: (code) => errorOfCode(service.errors, code),
      ...service.http(ground, of),
    },
    baseUrl,
    authUrl,
    pace,
    callArrives: () => connections.callArrives(),
    holdsBack: (request, body) => connections.holdBack(request, body),
    isCalledBack: () => connections.isCalledBack,
    yieldToEventLoop: nextMacrotask,
    routers,
    commandsOf: of as (resource: object) => unknown,
  });
  connections.join(
    () => {
      const { world } = engine;
      return (warning) => {
        if (world === engine.world)
          engine.noteInput("warning", {}, { ...warning, message: engine.journal.redaction.text(warning.message) });
      };
    },
    () => dispatcher.heldCalls > 0,
    () => engine.inputs?.keeper?.keep(),
  );
  for (const resource of service.resources) {
    const react = resource.reactions?.(of(resource) as never, of);
    if (react !== undefined) engine.onFact(react);
  }
  announceFacts(service, ground, announcing(service, of, outbox));
  return { ...ground, outbox, dispatcher, cookies: new CustomerCookies(engine), of };
}

/** Announces each fact at once, unless the service holds it until the end of its unit. */
function announceFacts<Words extends DeclaredWords>(
  { reordering }: ServiceDeclaration<Words>,
  ground: Ground<Words>,
  announce: (fact: Fact) => void,
): void {
  const { engine } = ground;
  if (reordering === undefined) {
    engine.onFact(announce);
    return;
  }
  const order = reordering(ground);
  engine.onFact(
    (fact) => {
      if (!order.holds(fact)) announce(fact);
    },
    (facts) => {
      for (const fact of order.inOrder(facts.filter((each) => order.holds(each)))) announce(fact);
    },
  );
}

/** Announces facts to merchants as events of their resources. Facts that no resource announces stay inside. */
function announcing<Words extends DeclaredWords>(
  { resources, receiverOf }: ServiceDeclaration<Words>,
  of: Of,
  outbox: Outbox,
): (fact: Fact) => void {
  const tellers = new Map<string, (fact: Fact) => Told | undefined>();
  for (const resource of resources) {
    const { events } = resource;
    if (events === undefined) continue;
    const commands = of(resource) as never;
    for (const type of events.announced) tellers.set(type, (fact) => events.tell(fact, commands));
  }
  return (fact) => {
    const told = tellers.get(fact.type)?.(fact);
    if (told === undefined) return;
    const { merchantId, webhookUrl = receiverOf(merchantId, of), content } = told;
    outbox.announce({ type: fact.type, merchantId, url: webhookUrl, content });
  };
}
