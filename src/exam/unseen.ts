import { machines } from "../report/coverage/machines.ts";
import type { Machine } from "../report/coverage/machines.ts";
import { routesIn } from "../kit/declaration/define-service.ts";
import { paymentService } from "../service/service.ts";
import type { ActName } from "./options.ts";
import { moveWithoutInput } from "./tried.ts";
import type { TriedInExam } from "./tried.ts";

/** The act that creates a resource of the service. */
const BEGUN_BY: Readonly<Record<string, ActName>> = {
  payment_intent: "order",
  checkout: "checkout",
  subscription: "join",
  invoice: "join",
};

/** The states and moves of one kind of resource that no story met. */
export interface SeenOfResource {
  /** Such as `subscription`. */
  readonly resource: string;
  /** How many states and moves it has. */
  readonly states: number;
  readonly moves: number;
  readonly statesNotSeen: readonly string[];
  /** The unmet moves between met states, such as `active → past_due`. The moves of an unmet state are unmet anyway. */
  readonly movesNotSeen: readonly string[];
}

/** What no story met, according to the service's own tables of states, moves, events and errors. */
export interface Unseen {
  /** Each kind of resource that a story created. */
  readonly resources: readonly SeenOfResource[];
  /** The kinds of resource that no story created, each with the act that creates it. */
  readonly notBegun: Readonly<Record<string, ActName | undefined>>;
  /** The types of event, among resources that sent the merchant any event. */
  readonly events: readonly string[];
  /** The errors declared by the routes that the merchant called. */
  readonly errors: readonly string[];
}

/** Returns what no story met of the resources and routes that the merchant uses. */
export function unseenOf(coverage: TriedInExam): Unseen {
  const begun = machines.filter(({ name, initial }) =>
    Object.hasOwn(coverage.moves, moveWithoutInput(name, undefined, initial)),
  );
  return {
    resources: begun.map((resource) => seenOf(resource, coverage)),
    notBegun: Object.fromEntries(
      machines.filter((each) => !begun.includes(each)).map(({ name }) => [name, BEGUN_BY[name]]),
    ),
    events: paymentService.resources
      .map(({ events }) => events?.announced ?? [])
      .filter((types) => types.some((type) => Object.hasOwn(coverage.events, type)))
      .flatMap((types) => types.filter((type) => !Object.hasOwn(coverage.events, type))),
    errors: declaredErrors(coverage).filter((code) => !Object.hasOwn(coverage.errors, code)),
  };
}

/** Returns the errors declared by the routes that the merchant called. */
export function declaredErrors({ troubles, neverStruck, notTried }: TriedInExam): readonly string[] {
  const places = [troubles, neverStruck, notTried].flatMap((each) => Object.keys(each));
  const called = new Set(
    places.filter((place) => place.startsWith("call ")).map((place) => place.slice("call ".length)),
  );
  const codes = routesIn(paymentService).flatMap(({ name, errors }) => (called.has(name) ? errors : []));
  return [...new Set<string>(codes)].toSorted();
}

function seenOf({ name, initial, states, ...machine }: Machine, coverage: TriedInExam): SeenOfResource {
  const moves = statusMovesOf(machine);
  const isMade = (from: string, to: string): boolean => Object.hasOwn(coverage.moves, moveWithoutInput(name, from, to));
  const statesNotSeen = states.filter(
    (state) => state !== initial && !moves.some(([from, to]) => to === state && isMade(from, to)),
  );
  return {
    resource: name,
    states: states.length,
    moves: moves.length,
    statesNotSeen,
    movesNotSeen: moves
      .filter(([from, to]) => !isMade(from, to) && !statesNotSeen.includes(from) && !statesNotSeen.includes(to))
      .map(([from, to]) => `${from} → ${to}`),
  };
}

/** Returns the moves from one state to another, regardless of their inputs. */
function statusMovesOf({ moves }: Pick<Machine, "moves">): readonly (readonly [from: string, to: string])[] {
  const others = moves.filter(({ from, to }) => from !== to);
  return [...new Map(others.map(({ from, to }) => [`${from} → ${to}`, [from, to] as const])).values()];
}
