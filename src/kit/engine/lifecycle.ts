import type {
  AnyMachineSnapshot,
  AnyStateMachine,
  AnyStateNode,
  ContextFrom,
  EventFromLogic,
  InputFrom,
  StateValueFrom,
} from "xstate";
import { CentavoError } from "../base/errors/centavo-error.ts";

/** One resource as it is stored: the machine's state value and context, never a live snapshot. */
export interface Row<State extends string = string, Data = object> {
  readonly id: string;
  readonly state: State;
  readonly data: Data;
  /** Milliseconds since 1970-01-01T00:00:00Z, virtual. */
  readonly createdAt: number;
  readonly updatedAt: number;
}

export type RowOf<Machine extends AnyStateMachine> = Row<StateValueFrom<Machine> & string, ContextFrom<Machine>>;

/** An input as a command writes it; the engine adds `at`, the virtual time in milliseconds. */
export type InputTo<Machine extends AnyStateMachine> = Unstamped<EventFromLogic<Machine>>;
type Unstamped<Event> = Event extends { at: number } ? Omit<Event, "at"> : never;

/** What a machine is created with, as a command writes it; the engine adds `at` here too. */
export type TermsOf<Machine extends AnyStateMachine> = Omit<InputFrom<Machine>, "at">;

/** Something that a step of a machine asks the engine to do. */
export type Effect =
  | { readonly kind: "schedule"; readonly name: string; readonly delay: number; readonly input: { type: string } }
  | { readonly kind: "cancel"; readonly name: string }
  | { readonly kind: "publish"; readonly fact: { type: string } };

export interface Step {
  readonly state: string;
  readonly data: object;
  readonly effects: readonly Effect[];
}

/** An action as XState makes it: a function with these fields. */
interface Action {
  readonly name: string;
  readonly type: string;
  readonly assignment?: unknown;
  readonly event?: unknown;
  readonly id?: string;
  readonly delay?: unknown;
  readonly sendId?: unknown;
  readonly resolve: (scope: object, snapshot: object, given: object, params: undefined, action: this) => unknown[];
}

type Transition = ReturnType<AnyStateMachine["getTransitionData"]>[number];

/**
 * Steps an XState machine as a pure function: state and input in, new state and effects out. The machine never runs.
 *
 * XState says which transition an input takes. It could also take it, but then it looks for nested and parallel states, histories and
 * actors, which no row has, and a renewal takes twice as long. Tests hold each step to XState's own.
 */
export class Lifecycle<Machine extends AnyStateMachine = AnyStateMachine> {
  readonly name: string;
  readonly machine: Machine;
  /** What happens when the clock gives a row each of these inputs, in words that follow the row's name: `its challenge expires`. */
  readonly whenDue: Readonly<Record<string, string>>;

  /** @throws {CentavoError} `MACHINE_DEFECT` for a machine whose state is more than one word and plain data */
  constructor(name: string, machine: Machine, whenDue: Readonly<Record<string, string>> = {}) {
    this.name = name;
    this.whenDue = whenDue;
    this.machine = machine;
    if (machine.root.type !== "compound")
      throw this.#defect(`is ${machine.root.type}, and a row's state is one word; give it plain states`);
    for (const node of [machine.root, ...Object.values(machine.root.states)]) {
      if (node.invoke.length > 0)
        throw this.#defect(`invokes an actor in "${node.key}"; a machine may only schedule, cancel and publish`);
      if (node !== machine.root && node.type !== "atomic" && node.type !== "final") {
        throw this.#defect(
          `has the ${node.type} state "${node.key}", and a row's state is one word; make its parts states of their own`,
        );
      }
      if (node.always !== undefined)
        throw this.#defect(`leaves "${node.key}" without an input; every step takes one, so decide with guards`);
    }
  }

  /** Returns the step that creates a resource. Throws an error of the machine as it is. */
  start(input: InputFrom<Machine>): Step {
    const { root, config } = this.machine;
    const { context = {} } = config as { readonly context?: unknown };
    const [{ key }] = root.initial.target as unknown as [AnyStateNode];
    const actions = [...root.entry, ...root.initial.actions, ...this.#entering(key)];
    const data = { ...(valueOf(context, { input, spawn: this.#spawn.bind(this) }) as object) };
    const effects: Effect[] = [];
    return { state: key, data: this.#run(actions, { type: "xstate.init", input }, data, effects), effects };
  }

  /** Returns true when the machine takes `input` in this state with this data. Costs the guards of the input, not a step. */
  accepts(state: string, data: object, input: { type: string; at: number }): boolean {
    return this.#transitionBy(state, data, input) !== undefined;
  }

  /** Returns true when a resource in this state has ended: its machine takes no more input. */
  isOver(state: string): boolean {
    return this.#node(state).type === "final";
  }

  /** Returns the step that `input` causes, or undefined when the machine does not take it in this state. */
  step(state: string, data: object, input: { type: string; at: number }): Step | undefined {
    const transition = this.#transitionBy(state, data, input);
    if (transition === undefined) return undefined;
    const { source, target, reenter } = transition;
    const to = target?.[0];
    const { key } = to ?? { key: state };
    // A state that is its own target is left and entered again only if the transition says so.
    const stays = to === undefined || (to === source && !reenter);
    const actions = stays
      ? transition.actions
      : [...this.#node(state).exit, ...transition.actions, ...this.#entering(key)];
    const effects: Effect[] = [];
    return { state: key, data: this.#run(actions, input, data, effects), effects };
  }

  #transitionBy(state: string, data: object, input: { type: string; at: number }): Transition | undefined {
    if (this.isOver(state)) return undefined;
    const snapshot = { machine: this.machine, value: state, context: data } as unknown as AnyMachineSnapshot;
    return this.machine.getTransitionData(snapshot, input)[0];
  }

  #entering(state: string): readonly unknown[] {
    const { entry, exit, type } = this.#node(state);
    return type === "final" ? [...entry, ...exit, ...this.machine.root.exit] : entry;
  }

  #node(state: string): AnyStateNode {
    const { states } = this.machine.root;
    if (Object.hasOwn(states, state)) return states[state] as AnyStateNode;
    throw this.#defect(`has no state "${state}"; its states are ${Object.keys(states).join(", ")}`);
  }

  /** Returns the data after these actions, of which each sees what those before it have left. */
  #run(actions: readonly unknown[], event: object, data: object, effects: Effect[]): object {
    return actions.reduce<object>((context, action) => this.#act(action, { context, event }, effects), data);
  }

  #act(named: unknown, given: { readonly context: object; readonly event: object }, effects: Effect[]): object {
    const { machine } = this;
    const declared = typeof named === "string" ? machine.implementations.actions[named] : named;
    const action = (declared ?? { type: named }) as Action;
    const { context, event } = given;
    switch (action.type) {
      case "xstate.assign":
        return {
          ...context,
          ...assigned(action.assignment, { ...given, spawn: this.#spawn.bind(this) }),
        };
      case "xstate.enqueueActions": {
        const queued = action.resolve({}, { machine, context }, given, undefined, action)[2] as unknown[];
        return this.#run(queued, event, context, effects);
      }
      case "xstate.emit":
        effects.push({ kind: "publish", fact: valueOf(action.event, given) as { type: string } });
        return context;
      case "xstate.cancel":
        effects.push({ kind: "cancel", name: valueOf(action.sendId, given) as string });
        return context;
      case "xstate.raise": {
        const input = valueOf(action.event, given) as { type: string };
        effects.push(this.#timer(input, action.id, valueOf(action.delay, given)));
        return context;
      }
      default: {
        // A function of the machine's own has no type.
        const { type = action.name } = action as Partial<Action>;
        throw this.#defect(`returned the action "${type}"; a machine may only schedule, cancel and publish`);
      }
    }
  }

  #timer(input: { type: string }, name: string | undefined, delay: unknown): Effect {
    if (name !== undefined && typeof delay === "number" && Number.isFinite(delay) && delay >= 0)
      return { kind: "schedule", name, delay, input };
    throw this.#defect(
      `schedules "${input.type}" under the name ${name} after ${String(delay)} ms; a timer needs a name and a finite delay of at least 0`,
    );
  }

  #spawn(_source: unknown, { id = "of no name" }: { readonly id?: string } = {}): never {
    throw this.#defect(`spawned the actor "${id}"; a machine may only schedule, cancel and publish`);
  }

  #defect(what: string): CentavoError {
    return new CentavoError("MACHINE_DEFECT", `The machine of ${this.name} ${what}.`);
  }
}

/** Returns the fields that an assignment gives, whether they are a function's or each is its own. */
function assigned(assignment: unknown, given: object): object {
  if (typeof assignment === "function") return valueOf(assignment, given) as object;
  return Object.fromEntries(Object.entries(assignment as object).map(([name, value]) => [name, valueOf(value, given)]));
}

function valueOf(value: unknown, given: object): unknown {
  return typeof value === "function" ? (value as (given: object) => unknown)(given) : value;
}
