import type { WorldSnapshot } from "../engine/world-snapshot.ts";
import { CentavoError } from "../errors/centavo-error.ts";

/** A whole world as plain JSON. */
export interface Snapshot {
  readonly version: 1;
  readonly world: WorldSnapshot;
}

/**
 * Returns the world of a snapshot, which may come from a file. The engine checks what is in it.
 * @throws {CentavoError} `INVALID_SNAPSHOT` for another version, another seed, or anything but plain data
 */
export function readSnapshot(snapshot: unknown, seed: string): WorldSnapshot {
  if (typeof snapshot === "string") throw refused("this is a text, not yet a snapshot; JSON.parse it first.");
  const { version, world } = (snapshot ?? {}) as Partial<Snapshot>;
  if (version !== 1) {
    const found = version === undefined ? "" : `; its version is ${String(version)}`;
    throw refused(`this is not a snapshot that sim.snapshot() of this version of Centavo made${found}.`);
  }
  if (world?.seed !== seed) {
    const seeds = `the seed ${JSON.stringify(world?.seed)}, and this simulator has ${JSON.stringify(seed)}`;
    throw refused(`the snapshot was made with ${seeds}; create it with the same seed.`);
  }
  try {
    return structuredClone(world);
  } catch (error) {
    throw refused(`the snapshot holds something other than plain data: ${String(error)}.`, error);
  }
}

function refused(why: string, cause?: unknown): CentavoError {
  return new CentavoError("INVALID_SNAPSHOT", `sim.restore: ${why}`, { cause });
}
