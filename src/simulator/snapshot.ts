import { invalidSnapshot } from "../kit/engine/world-snapshot.ts";
import type { WorldSnapshot } from "../kit/engine/world-snapshot.ts";
import { inWords } from "../kit/base/errors/in-words.ts";
import type { CentavoError } from "../kit/base/errors/centavo-error.ts";
import { messageOf } from "../kit/base/errors/thrown-values.ts";
import { isDeeperThan } from "../kit/base/runtime/nesting.ts";
import { once } from "../kit/base/runtime/once.ts";
import { sha256Of } from "../kit/base/runtime/sha256.ts";

/** Goes up whenever a world of an earlier version can no longer be restored. */
const VERSION = 2;

/** Levels of nesting, far below those at which the stack ends. */
export const DEEPEST_SNAPSHOT = 500;
const TOO_DEEP = `it is nested deeper than ${DEEPEST_SNAPSHOT} levels`;

/** A complete world as plain JSON. */
export interface Snapshot {
  readonly version: 2;
  readonly world: WorldSnapshot;
  /** A SHA-256 over the version and the world, by which `sim.restore` knows a file that was edited. It is no signature. */
  readonly digest: string;
}

/** Returns the snapshot of a world that nobody can change. The digest is made when it is first read, as by `JSON.stringify`. */
export function snapshotOf(world: WorldSnapshot): Snapshot {
  const content = { version: VERSION, world } as const;
  const digest = once(() => digestOf(content));
  return Object.freeze({
    ...content,
    get digest() {
      return digest();
    },
  });
}

/**
 * Returns the world of a snapshot, which may come from a file. The engine checks its content.
 * @param options.edited whether to take a snapshot whose digest does not match its world
 * @throws {CentavoError} `INVALID_SNAPSHOT` for another version, another seed, another digest, or values that are not plain data
 */
export function readSnapshot(snapshot: unknown, seed: string, { edited = false } = {}): unknown {
  if (typeof snapshot === "string") throw invalidSnapshot("this is a string; JSON.parse it first");
  const plain = (plainJson(snapshot, invalidSnapshot) ?? {}) as Readonly<Record<string, unknown>>;
  const { digest, ...content } = plain;
  const { version, world, ...others } = content;
  if (version !== VERSION) throw invalidSnapshot(problemInVersion(version));
  if (!edited) requireDigest(content, digest);
  const [stranger] = Object.keys(others);
  if (stranger !== undefined) throw invalidSnapshot(`it has the member ${inWords(stranger)}, which no snapshot has`);
  const own = (world as Partial<WorldSnapshot> | null | undefined)?.seed;
  // The engine refuses a world without a seed.
  if (typeof own === "string" && own !== seed)
    throw invalidSnapshot(
      `the snapshot was made with the seed ${inWords(own)}, and this simulator has ${inWords(seed)}`,
    );
  return world;
}

function problemInVersion(version: unknown): string {
  if (!Number.isInteger(version)) return "this is not a snapshot that sim.snapshot() returned";
  const origin = (version as number) < VERSION ? "an older version" : "a newer version";
  return `the snapshot was taken by ${origin} of Centavo: it has the version ${String(version)}, and this Centavo reads ${VERSION}`;
}

function requireDigest(content: object, digest: unknown): void {
  if (digest === digestOf(content)) return;
  throw invalidSnapshot(
    "the snapshot was edited after it was taken: its digest does not match its content",
    undefined,
    ", or call sim.restore(snapshot, { edited: true }), which checks its fields alone",
  );
}

/** Reads fields in their order, as the journal's digest and the bodies of events do, but not how the file is laid out. */
function digestOf(content: object): string {
  return sha256Of(JSON.stringify(content));
}

/**
 * Returns a copy of a value, as a round trip through a file leaves it.
 * @param refusal makes the error for a value that is not plain data
 */
export function plainJson(value: unknown, refusal: (why: string, cause?: unknown) => CentavoError): unknown {
  let plain: unknown;
  try {
    const text = JSON.stringify(value) as string | undefined;
    plain = text === undefined ? undefined : JSON.parse(text);
  } catch (error) {
    throw refusal(
      error instanceof RangeError
        ? TOO_DEEP
        : `it contains values that are not plain data: ${messageOf(error).replaceAll(/\s+/g, " ")}`,
      error,
    );
  }
  if (isDeeperThan(DEEPEST_SNAPSHOT, plain)) throw refusal(TOO_DEEP);
  return plain;
}
