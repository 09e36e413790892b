import type { Simulator } from "centavo";

/** A world without its journal, which notes refused requests too. */
export function worldOf(sim: Simulator): unknown {
  const { journal: _, ...world } = sim.snapshot().world;
  return world;
}
