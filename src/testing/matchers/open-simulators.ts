import type { Simulator } from "../../simulator/simulator.ts";

/** A registered symbol, because a process may load Centavo both as ES modules and as CommonJS. */
const OPEN = Symbol.for("centavo.open-simulators");

/** The simulators of the running tests. Matchers look up ids in them. */
export function openSimulators(): Set<Simulator> {
  const shared = globalThis as { [OPEN]?: Set<Simulator> };
  return (shared[OPEN] ??= new Set());
}
