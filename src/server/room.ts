import type { Simulator } from "../simulator/simulator.ts";
import { ControlProblem } from "./control/problem.ts";

/** A world of a server, without a name if it is the default one, which has no limit. */
interface LimitedWorld {
  readonly name?: string | undefined;
  readonly sim: Simulator;
}

/**
 * Refuses a call that may add rows to a world that has too many.
 * @param most how many rows a named world may have
 * @throws {ControlProblem}
 */
export function checkRoom({ name, sim }: LimitedWorld, most: number): void {
  if (name === undefined) return;
  const tables = [...sim.internals.parts.engine.identity.tables.values()];
  if (tables.reduce((sum, { size }) => sum + size, 0) < most) return;
  throw new ControlProblem(
    507,
    "WORLD_FULL",
    `The world "${name}" has ${most} rows, which is the limit of this server. Reset or end it, or start the server with more: --world-rows, or the option worlds.rows.`,
  );
}

/**
 * Does what may add rows to a world, until the clock moves and there are too many.
 * @param most how many rows a named world may have
 * @throws {ControlProblem}
 */
export async function withinRoom<Result>(
  world: LimitedWorld,
  most: number,
  work: () => Result,
): Promise<Awaited<Result>> {
  const { clock, internals } = world.sim;
  checkRoom(world, most);
  const stop = internals.parts.engine.onMove(() => {
    // What real time moves is nobody's call.
    if (clock.isMovedByTest) checkRoom(world, most);
  });
  try {
    return await work();
  } finally {
    stop();
  }
}
