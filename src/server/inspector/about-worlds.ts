import type { Simulator } from "../../simulator/simulator.ts";
import { ControlProblem } from "../control/problem.ts";

/** What the inspector knows of a world besides what it shows of itself. */
export interface AboutWorld {
  /** The name of its test. */
  readonly title?: string;
  /** Why nobody but its test may change the world, in a sentence; undefined when others may. */
  readonly ownedBecause?: string;
  /** Whether its test has ended, so that nothing more happens in it. */
  readonly isEnded?: boolean;
}

const known = new WeakMap<Simulator, AboutWorld>();

/**
 * Says what the inspector shows of a world, and whether a server lets others change it: control calls that would are then answered 409 with
 * the reason. Its test still does as it likes with the simulator itself.
 */
export function describeWorld(sim: Simulator, about: AboutWorld): void {
  known.set(sim, about);
}

/** Returns what was said of a world. */
export function aboutWorld(sim: Simulator): AboutWorld {
  return known.get(sim) ?? {};
}

/**
 * Refuses to change a world that its test owns.
 * @throws {ControlProblem} 409 with the reason
 */
export function checkOwner(sim: Simulator): void {
  const { ownedBecause } = aboutWorld(sim);
  if (ownedBecause !== undefined)
    throw new ControlProblem(409, "WORLD_OWNED", `${ownedBecause} A fork of the world can be changed: POST /fork.`);
}
