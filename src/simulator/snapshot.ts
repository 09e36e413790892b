import { invalidSnapshot } from "../kit/engine/world-snapshot.ts";
import type { WorldSnapshot } from "../kit/engine/world-snapshot.ts";
import { inWords } from "../kit/base/errors/in-words.ts";
import type { CentavoError } from "../kit/base/errors/centavo-error.ts";
import { messageOf } from "../kit/base/errors/thrown-values.ts";

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
  if (typeof snapshot === "string") throw invalidSnapshot("this is a string; JSON.parse it first");
  const plain = (plainJson(snapshot, invalidSnapshot) ?? {}) as { readonly version?: unknown; world?: unknown };
  const { version, world } = plain;
  if (version !== 1) {
    const found = version === undefined ? "" : `; its version is ${inWords(version)}`;
    throw invalidSnapshot(`this is not a snapshot that sim.snapshot() of this version of Centavo returned${found}`);
  }
  const stranger = Object.keys(plain).find((name) => name !== "version" && name !== "world");
  if (stranger !== undefined) throw invalidSnapshot(`it has the member ${inWords(stranger)}, which no snapshot has`);
  const own = (world as Partial<WorldSnapshot> | null | undefined)?.seed;
  // The engine refuses a world without a seed.
  if (typeof own === "string" && own !== seed)
    throw invalidSnapshot(
      `the snapshot was made with the seed ${inWords(own)}, and this simulator has ${inWords(seed)}`,
    );
  return world;
}

/**
 * Returns a copy of a value, as a round trip through a file leaves it.
 * @param refusal makes the error for a value that is not plain data
 */
export function plainJson(value: unknown, refusal: (why: string, cause?: unknown) => CentavoError): unknown {
  try {
    return copyOf(value);
  } catch {
    // Some part of it is not plain data, or it is endless.
  }
  try {
    const text = JSON.stringify(value) as string | undefined;
    return text === undefined ? undefined : JSON.parse(text);
  } catch (error) {
    // The stack ends at some thousands of levels.
    throw refusal(
      error instanceof RangeError
        ? "it is nested too deeply"
        : `it contains values that are not plain data: ${messageOf(error).replaceAll(/\s+/g, " ")}`,
      error,
    );
  }
}

/**
 * Copies plain data, in a quarter of the time that JSON takes. To a spread, `__proto__` is a field like any other.
 * @throws for what JSON would change or refuse
 */
function copyOf(value: unknown): unknown {
  if (typeof value === "string" || typeof value === "boolean" || value === null) return value;
  // JSON has no minus before a zero.
  if (Number.isFinite(value)) return (value as number) + 0;
  if (Array.isArray(value) && !("toJSON" in value)) {
    const copy: unknown[] = [];
    for (const part of value) copy.push(copyOf(part));
    return copy;
  }
  if (typeof value !== "object" || Object.getPrototypeOf(value) !== Object.prototype || "toJSON" in value)
    throw new TypeError();
  const copy: Record<string, unknown> = { ...value };
  for (const name in copy) {
    const part = copy[name];
    if (typeof part !== "string") copy[name] = copyOf(part);
  }
  return copy;
}
