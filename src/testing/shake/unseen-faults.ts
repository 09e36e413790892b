import { requirePlanned } from "../../kit/faults/faults.ts";
import type { Simulator } from "../../simulator/simulator.ts";
import { faultInForce } from "../../troubles/values-in-force.ts";

/** What a test adds as a fault. */
type Fault = Parameters<Simulator["faults"]["add"]>[0];

/**
 * Plans the faults of a shake, so that its test does not see them: they are in no list, the test's own faults keep their names,
 * and clearing those leaves these.
 * @returns the names of the faults that are planned
 */
export function planUnseen(sim: Simulator, faults: readonly Fault[]): ReadonlySet<string> {
  if (faults.length === 0) return new Set();
  const { overrides } = sim.internals.parts.assumptions;
  const inForce = (fault: Fault): Fault => {
    const planned: object = faultInForce(fault, overrides);
    return planned as Fault;
  };
  const unseen = new Set(
    faults.map((fault, index) => sim.faults.add({ ...inForce(fault), id: `shake_${index + 1}` }).id),
  );
  hideIn(sim, { unseen, named: new Set(), added: 0 });
  return unseen;
}

interface Hidden {
  readonly unseen: ReadonlySet<string>;
  /** The names that were given in place of default ones. */
  readonly named: ReadonlySet<string>;
  /** How many faults the test has added. */
  readonly added: number;
}

/** Hides faults from the test in a simulator, and in its copies. */
function hideIn(sim: Simulator, { unseen, ...earlier }: Hidden): void {
  const own = sim.faults;
  const named = new Set(earlier.named);
  let { added } = earlier;
  const seen = <State extends { readonly id: string; readonly fault: object }>(states: readonly State[]): State[] =>
    states
      .filter(({ id }) => !unseen.has(id))
      .map((state) => (named.has(state.id) ? Object.assign({}, state, { fault: withoutId(state.fault) }) : state));
  const add: typeof own.add = (fault) => {
    added += 1;
    // What is no fault, or has a name, is read as it is.
    if (typeof fault !== "object" || fault === null || fault.id !== undefined) return own.add(fault);
    const taken = new Set(own.list().map(({ id }) => id));
    let number = added;
    while (taken.has(`fault_${number}`)) number += 1;
    const handle = own.add({ ...fault, id: `fault_${number}` });
    added = number;
    named.add(handle.id);
    return handle;
  };
  const value: typeof own = Object.assign(Object.create(own) as typeof own, {
    add,
    remove: (id: string) => {
      requirePlanned(id, seen(own.list()));
      own.remove(id);
    },
    list: () => seen(own.list()),
    unused: () => seen(own.unused()),
    clear: () => {
      for (const { id } of seen(own.list())) own.remove(id);
    },
  });
  Object.defineProperty(sim, "faults", { configurable: true, value });
  const fork = sim.fork.bind(sim);
  const copy: typeof fork = (...given) => {
    const forked = fork(...given);
    hideIn(forked, { unseen, named, added });
    return forked;
  };
  Object.defineProperty(sim, "fork", { configurable: true, value: copy });
}

function withoutId<Planned extends object>(fault: Planned): Planned {
  const { id: _given, ...rest } = fault as Planned & { readonly id?: string };
  return rest as Planned;
}
