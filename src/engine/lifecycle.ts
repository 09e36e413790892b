import { createEmptyActor } from "xstate";
import type {
  AnyActorRef,
  AnyMachineSnapshot,
  AnyStateMachine,
  ContextFrom,
  EventFromLogic,
  InputFrom,
  StateValueFrom,
} from "xstate";
import { CentavoError } from "../errors/centavo-error.ts";

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

interface ReturnedAction {
  readonly type: string;
  readonly params: unknown;
}

// Supplies what a step reads of an actor; it is never started, and no step changes it.
const idle: AnyActorRef = createEmptyActor();

/**
 * Steps an XState machine as a pure function: state and input in, new state and effects out. The machine never runs.
 *
 * XState's own `transition()` builds an actor for every call; one idle actor for all makes a step about four times cheaper.
 */
export class Lifecycle<Machine extends AnyStateMachine = AnyStateMachine> {
  readonly name: string;
  readonly machine: Machine;
  /** What happens when the clock gives a row each of these inputs, in words that follow the row's name: `its challenge expires`. */
  readonly whenDue: Readonly<Record<string, string>>;
  readonly #templates = new Map<string, AnyMachineSnapshot>();

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
    }
  }

  /** Returns the step that creates a resource. Throws an error of the machine as it is. */
  start(input: InputFrom<Machine>): Step {
    const returned: ReturnedAction[] = [];
    const snapshot: AnyMachineSnapshot = this.machine.getInitialSnapshot(this.#scope(returned), input);
    if (snapshot.status === "error") throw snapshot.error;
    return this.#stepOf(snapshot, returned);
  }

  /** Returns true when the machine takes `input` in this state with this data. Costs the guards of the input, not a step. */
  accepts(state: string, data: object, input: { type: string; at: number }): boolean {
    const before = this.#snapshot(state, data);
    return before.status === "active" && this.machine.getTransitionData(before, input).length > 0;
  }

  /** Returns true when a resource in this state has ended: its machine takes no more input. */
  isOver(state: string): boolean {
    return this.#template(state, {}).status !== "active";
  }

  /** Returns the step that `input` causes, or undefined when the machine does not take it in this state. */
  step(state: string, data: object, input: { type: string; at: number }): Step | undefined {
    const before = this.#snapshot(state, data);
    if (before.status !== "active") return undefined;
    const returned: ReturnedAction[] = [];
    const after: AnyMachineSnapshot = this.machine.transition(before, input, this.#scope(returned));
    // A transition without target and actions counts as taken and changes nothing.
    if (after === before && this.machine.getTransitionData(before, input).length === 0) return undefined;
    return this.#stepOf(after, returned);
  }

  #snapshot(state: string, data: object): AnyMachineSnapshot {
    return { ...this.#template(state, data), context: data } as AnyMachineSnapshot;
  }

  #template(state: string, data: object): AnyMachineSnapshot {
    let template = this.#templates.get(state);
    if (template === undefined) {
      if (!Object.hasOwn(this.machine.root.states, state)) {
        throw this.#defect(
          `has no state "${state}"; its states are ${Object.keys(this.machine.root.states).join(", ")}`,
        );
      }
      template = this.machine.resolveState({ value: state, context: data }) as AnyMachineSnapshot;
      this.#templates.set(state, template);
    }
    return template;
  }

  /** Makes the scope of one step. XState changes a scope while it steps, so each step gets its own. */
  #scope(returned: ReturnedAction[]): Parameters<Machine["transition"]>[2] {
    return {
      self: idle,
      system: idle.system,
      id: this.name,
      sessionId: this.name,
      logger: ignore,
      defer: ignore,
      stopChild: ignore,
      emit: ignore,
      actionExecutor: (action: ReturnedAction) => returned.push(action),
    };
  }

  #stepOf({ value, context, children }: AnyMachineSnapshot, returned: readonly ReturnedAction[]): Step {
    const effects = returned.map((action) => this.#effectOf(action));
    for (const child in children) {
      throw this.#defect(`spawned the actor "${child}"; a machine may only schedule, cancel and publish`);
    }
    return { state: value as string, data: context as object, effects };
  }

  #effectOf({ type, params }: ReturnedAction): Effect {
    if (type === "xstate.emit") return { kind: "publish", fact: (params as { event: { type: string } }).event };
    if (type === "xstate.cancel") return { kind: "cancel", name: (params as { sendId: string }).sendId };
    if (type === "xstate.raise") {
      const { event, id, delay } = params as {
        event: { type: string };
        id: string | undefined;
        delay: number | undefined;
      };
      if (id !== undefined && typeof delay === "number" && Number.isFinite(delay) && delay >= 0) {
        return { kind: "schedule", name: id, delay, input: event };
      }
      throw this.#defect(
        `schedules "${event.type}" under the name ${id} after ${delay} ms; a timer needs a name and a finite delay of at least 0`,
      );
    }
    throw this.#defect(`returned the action "${type}"; a machine may only schedule, cancel and publish`);
  }

  #defect(what: string): CentavoError {
    return new CentavoError("MACHINE_DEFECT", `The machine of ${this.name} ${what}.`);
  }
}

function ignore(): void {}
