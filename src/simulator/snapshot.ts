import type { WorldSnapshot } from "../engine/world-snapshot.ts";
import { CentavoError } from "../errors/centavo-error.ts";

/** A complete world as plain JSON. */
export interface Snapshot {
  readonly version: 1;
  readonly world: WorldSnapshot;
}

/**
 * Returns the world of a snapshot, which may come from a file. The engine checks its content.
 * @throws {CentavoError} `INVALID_SNAPSHOT` for another version, another seed, or values that are not plain data
 */
export function readSnapshot(snapshot: unknown, seed: string): WorldSnapshot {
  if (typeof snapshot === "string") throw refused("this is a string; JSON.parse it first");
  const { version, world } = (snapshot ?? {}) as Partial<Snapshot>;
  if (version !== 1) {
    const found = version === undefined ? "" : `; its version is ${String(version)}`;
    throw refused(`this is not a snapshot that sim.snapshot() of this version of Centavo returned${found}`);
  }
  if (world?.seed !== seed) {
    const seeds = `the seed ${JSON.stringify(world?.seed)}, and this simulator has ${JSON.stringify(seed)}`;
    throw refused(`the snapshot was made with ${seeds}; create the simulator with the same seed`);
  }
  try {
    return structuredClone(world);
  } catch (error) {
    throw refused(`the snapshot contains values that are not plain data: ${String(error)}`, error);
  }
}

function refused(why: string, cause?: unknown): CentavoError {
  return new CentavoError("INVALID_SNAPSHOT", `sim.restore: ${why.replace(/\.$/, "")}.`, { cause });
}
