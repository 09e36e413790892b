import { createEmptyActor } from "xstate";
import type {
  AnyActorRef,
  AnyActorScope,
  AnyMachineSnapshot,
  AnyStateMachine,
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

/** An input as a command writes it. The engine adds `at`, the virtual time in milliseconds. */
export type InputTo<Machine extends AnyStateMachine> = Unstamped<EventFromLogic<Machine>>;
type Unstamped<Event> = Event extends { at: number } ? Omit<Event, "at"> : never;

/** What a command passes to create a resource. The engine adds `at` here too. */
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

/** An action that a step asks for, as XState returns it. */
interface Action {
  readonly type: string;
  readonly params: unknown;
}

/** XState needs an actor for every step. This actor never starts, so all machines can share it. */
const idle = createEmptyActor() as unknown as AnyActorRef;

/** Steps an XState machine as a pure function: state and input in, new state and effects out. The machine never runs. */
export class Lifecycle<Machine extends AnyStateMachine = AnyStateMachine> {
  readonly name: string;
  readonly machine: Machine;
  /** What happens when the clock gives a row each of these inputs, worded to follow the row's name: `its challenge expires`. */
  readonly whenDue: Readonly<Record<string, string>>;
  readonly #resolved = new Map<string, AnyMachineSnapshot>();

  constructor(name: string, machine: Machine, whenDue: Readonly<Record<string, string>> = {}) {
    this.name = name;
    this.machine = machine;
    this.whenDue = whenDue;
  }

  /**
   * Returns the step that creates a resource.
   * @throws {CentavoError} `MACHINE_DEFECT` for a machine that does more than decide; the machine's own errors are thrown as they are
   */
  start(input: InputFrom<Machine>): Step {
    return this.#stepBy((scope) => this.machine.getInitialSnapshot(scope, input));
  }

  /** Whether the machine accepts `input` in this state with this data. */
  accepts(state: string, data: object, input: { type: string; at: number }): boolean {
    const snapshot = this.#snapshotOf(state, data);
    return snapshot.status === "active" && snapshot.can(input);
  }

  /** Whether a resource in this state has ended: its machine accepts no more input. */
  isOver(state: string): boolean {
    return this.#snapshotOf(state, {}).status === "done";
  }

  /**
   * Returns the step that `input` causes; undefined when the machine does not accept it in this state.
   * @throws {CentavoError} `MACHINE_DEFECT` for a machine that does more than decide; the machine's own errors are thrown as they are
   */
  step(state: string, data: object, input: { type: string; at: number }): Step | undefined {
    const before = this.#snapshotOf(state, data);
    if (before.status !== "active") return undefined;
    const step = this.#stepBy((scope) => this.machine.transition(before, input, scope));
    const isUnchanged = step.state === state && step.data === data && step.effects.length === 0;
    // A machine may accept an input and change nothing. To ask it about every input would choose each transition twice.
    return isUnchanged && !before.can(input) ? undefined : step;
  }

  /** Makes the snapshot for one step. XState resolves each state once; only the data differ between rows. */
  #snapshotOf(value: string, context: object): AnyMachineSnapshot {
    const resolved = this.#resolved.get(value) ?? this.machine.resolveState({ value, context: {} });
    this.#resolved.set(value, resolved);
    return { ...resolved, context };
  }

  #stepBy(take: (scope: AnyActorScope) => AnyMachineSnapshot): Step {
    const actions: Action[] = [];
    const snapshot = take(scopeWith((action) => actions.push(action)));
    // XState returns an initial error in the snapshot, but throws an error of a later step.
    if (snapshot.status === "error") throw snapshot.error;
    const { value, context, children } = snapshot as Readonly<Record<"value" | "context" | "children", unknown>>;
    if (typeof value !== "string")
      throw this.#defect(
        `is in the state ${JSON.stringify(value)}, and a row's state is one word; give it plain states`,
      );
    const effects = actions.map((action) => this.#effectOf(action));
    const [child] = Object.keys(children as object);
    if (child !== undefined) throw this.#defect(`spawned the actor "${child}"; ${MAY_ONLY}`);
    return { state: value, data: withoutGoneFields(context as object), effects };
  }

  #effectOf({ type, params }: Action): Effect {
    switch (type) {
      case "xstate.emit":
        return { kind: "publish", fact: (params as { event: { type: string } }).event };
      case "xstate.cancel":
        return { kind: "cancel", name: (params as { sendId: string }).sendId };
      case "xstate.raise":
        return this.#timer(params as { event: { type: string }; id: string | undefined; delay: number | undefined });
      default:
        throw this.#defect(`returned the action "${type}"; ${MAY_ONLY}`);
    }
  }

  #timer({ event, id, delay }: { event: { type: string }; id: string | undefined; delay: number | undefined }): Effect {
    if (id !== undefined && delay !== undefined && Number.isFinite(delay) && delay >= 0)
      return { kind: "schedule", name: id, delay, input: event };
    throw this.#defect(
      `schedules "${event.type}" under the name ${id} after ${delay} ms; a timer needs a name and a finite delay of at least 0`,
    );
  }

  #defect(what: string): CentavoError {
    return new CentavoError("MACHINE_DEFECT", `The machine of ${this.name} ${what}.`);
  }
}

const MAY_ONLY = "a machine may only schedule, cancel and publish";

/** The scope of one step. XState passes every action to `collect`, and none of them runs. */
function scopeWith(collect: (action: Action) => void): AnyActorScope {
  const { id, sessionId, system } = idle;
  const ignore = (): void => undefined;
  return {
    self: idle,
    id,
    sessionId,
    system,
    logger: ignore,
    defer: ignore,
    emit: ignore,
    stopChild: ignore,
    actionExecutor: collect,
  };
}

/** JSON keeps no field that is undefined. A row without it is the same before and after, in the order of its fields too. */
function withoutGoneFields(data: object): object {
  if (!Object.values(data).includes(undefined)) return data;
  return Object.fromEntries(Object.entries(data).filter(([, value]) => value !== undefined));
}
