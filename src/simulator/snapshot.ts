import type { WorldSnapshot } from "../engine/world-snapshot.ts";
import { inWords } from "../errors/in-words.ts";
import { CentavoError } from "../errors/centavo-error.ts";
import { messageOf } from "../errors/thrown-values.ts";

/** A complete world as plain JSON. */
export interface Snapshot {
  readonly version: 1;
  readonly world: WorldSnapshot;
}

/**
 * Returns the world of a snapshot, which may come from a file. The engine checks its content.
 * @throws {CentavoError} `INVALID_SNAPSHOT` for another version, another seed, or values that are not plain data
 */
export function readSnapshot(snapshot: unknown, seed: string): unknown {
  if (typeof snapshot === "string") throw refused("this is a string; JSON.parse it first");
  const plain = (plainJson(snapshot, refused) ?? {}) as { readonly version?: unknown; world?: unknown };
  const { version, world } = plain;
  if (version !== 1) {
    const found = version === undefined ? "" : `; its version is ${inWords(version)}`;
    throw refused(`this is not a snapshot that sim.snapshot() of this version of Centavo returned${found}`);
  }
  const stranger = Object.keys(plain).find((name) => name !== "version" && name !== "world");
  if (stranger !== undefined)
    throw refused(
      `it has the member "${stranger}", which no snapshot has; restore what sim.snapshot() returned, unchanged`,
    );
  const own = (world as Partial<WorldSnapshot> | null | undefined)?.seed;
  if (own !== seed) {
    const seeds = `the seed ${inWords(own)}, and this simulator has ${JSON.stringify(seed)}`;
    throw refused(`the snapshot was made with ${seeds}; create the simulator with the same seed`);
  }
  return world;
}

/**
 * Returns a copy of a value, as a journey through a file leaves it.
 * @param refusal makes the error for a value that is not plain data
 */
export function plainJson(value: unknown, refusal: (why: string, cause?: unknown) => CentavoError): unknown {
  try {
    const text = JSON.stringify(value) as string | undefined;
    return text === undefined ? undefined : JSON.parse(text);
  } catch (error) {
    throw refusal(`it contains values that are not plain data: ${messageOf(error).replaceAll(/\s+/g, " ")}`, error);
  }
}

function refused(why: string, cause?: unknown): CentavoError {
  return new CentavoError("INVALID_SNAPSHOT", `sim.restore: ${why.replace(/\.$/, "")}.`, { cause });
}
