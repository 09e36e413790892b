import { initialTransition, transition } from "xstate";
import type { AnyMachineSnapshot, AnyStateMachine } from "xstate";

/** An input as a machine takes it. */
export interface Input {
  readonly type: string;
  readonly at: number;
}

/** One move of a history, as the journal writes it too. */
export interface Move {
  readonly input: string;
  readonly from: string;
  readonly to: string;
}

/** A move of a path: with the whole input, and whether it came by a timer of the machine's own. */
export interface Taken extends Move {
  readonly given: Input & Readonly<Record<string, unknown>>;
  readonly byTimer: boolean;
}

/** Where a bare machine stands: what XState's public functions say, and the timers that the machine has asked for. */
export interface Standing {
  readonly snapshot: AnyMachineSnapshot;
  readonly at: number;
  readonly timers: ReadonlyMap<string, Input>;
}

interface Action {
  readonly type: string;
  readonly params: unknown;
}

/** A machine as `centavo/machines` exports it, run by XState's public functions alone. */
export class BareMachine {
  readonly #machine: AnyStateMachine;

  constructor(machine: AnyStateMachine) {
    this.#machine = machine;
  }

  start(terms: { readonly at: number }): Standing {
    const [snapshot, actions] = initialTransition(this.#machine, terms);
    return { snapshot, at: terms.at, timers: timersAfter(new Map(), actions, terms.at) };
  }

  /** The timer that comes next. */
  next({ timers }: Standing): Input | undefined {
    return [...timers.values()].toSorted((left, right) => left.at - right.at)[0];
  }

  /** Returns the position after an input or a timer, or undefined when the machine does not take the input. */
  step(standing: Standing, input: Input): Standing | undefined {
    const { snapshot, timers } = standing;
    const isTimer = [...timers.values()].some(({ type, at }) => type === input.type && at === input.at);
    if (!isTimer && !snapshot.can(input)) return undefined;
    const [after, actions] = transition(this.#machine, snapshot, input);
    const left = new Map([...timers].filter(([, timer]) => !isTimer || timer.type !== input.type));
    return { snapshot: after, at: input.at, timers: timersAfter(left, actions, input.at) };
  }

  /**
   * Every longest path of at most `longest` moves. The machine's own timers come when nothing else happens before them; other inputs
   * come at the moment of the move before.
   * @param choices the inputs to try, whether the machine takes them or not
   */
  paths(
    terms: { readonly at: number },
    longest: number,
    choices: (standing: Standing, path: readonly Taken[]) => readonly (Omit<Input, "at"> & object)[],
  ): Taken[][] {
    const found: Taken[][] = [];
    const follow = (standing: Standing, path: readonly Taken[]): void => {
      const timer = this.next(standing);
      const inputs = [
        ...choices(standing, path).map((choice) => ({ given: { ...choice, at: standing.at }, byTimer: false })),
        ...(timer === undefined ? [] : [{ given: timer, byTimer: true }]),
      ];
      let isLongest = true;
      for (const { given, byTimer } of path.length < longest ? inputs : []) {
        const after = this.step(standing, given);
        if (after === undefined) continue;
        isLongest = false;
        const move = { input: given.type, from: standing.snapshot.value as string, to: after.snapshot.value as string };
        follow(after, [...path, { ...move, given: { ...given }, byTimer }]);
      }
      if (isLongest) found.push([...path]);
    };
    follow(this.start(terms), []);
    return found;
  }
}

function timersAfter(before: ReadonlyMap<string, Input>, actions: readonly Action[], at: number): Map<string, Input> {
  const timers = new Map(before);
  for (const { type, params } of actions) {
    if (type === "xstate.cancel") timers.delete((params as { sendId: string }).sendId);
    if (type !== "xstate.raise") continue;
    const { event, id, delay } = params as { event: Input; id: string; delay: number };
    timers.set(id, { ...event, at: at + delay });
  }
  return timers;
}

/** What two histories are compared by. */
export function movesOf(path: readonly Move[]): string[] {
  return path.map(({ input, from, to }) => `${input}: ${from} → ${to}`);
}
