import * as z from "zod/mini";
import { CentavoError } from "../base/errors/centavo-error.ts";
import { readPart } from "../base/errors/english.ts";
import type { Redacting } from "../base/errors/english.ts";
import { inWords, shortened } from "../base/errors/in-words.ts";
import { problemInEntry } from "./journal-shapes.ts";
import type { StoredEntry } from "./journal-entries.ts";
import type { ForgottenEntries } from "./journal.ts";
import { count, moment, shapeOf, anyText } from "./row-schema.ts";
import { LAST_MOMENT } from "./timestamp.ts";
import type { Table } from "./table.ts";
import type { Timer } from "./timer.ts";

/** A world as plain JSON. */
export interface WorldSnapshot {
  readonly now: number;
  readonly tables: Readonly<Record<string, readonly (readonly [string, unknown])[]>>;
  readonly timers: readonly Timer[];
  readonly timerSequence: number;
  readonly seed: string;
  readonly streams: Readonly<Record<string, readonly number[]>>;
  readonly journal: readonly StoredEntry[];
  /** What a bounded journal has dropped. */
  readonly forgotten: ForgottenEntries;
}

/** The time that a restored world must have left, in milliseconds: a century, so that every deadline can be set. */
const TIME_LEFT = 36_525 * 86_400_000;

const timer = shapeOf<Timer>()(() => ({
  at: moment,
  sequence: count,
  depth: count,
  owner: anyText,
  subject: anyText,
  name: anyText,
  input: z.looseObject({ type: anyText }),
}));

/** One of four 32-bit numbers. If all four were zero, the generator would draw zeros for ever. */
const word = z.int32();
const streamState = z.array(word).check(
  z.refine((state) => state.length === 4, "it takes a list of exactly 4 items"),
  z.refine((state) => state.some((part) => part !== 0), "four zeros give the same number for ever"),
);

const outline = shapeOf<WorldSnapshot>()(() => ({
  now: moment.check(z.maximum(LAST_MOMENT - TIME_LEFT, "the clock has less than a century left")),
  tables: z.custom<WorldSnapshot["tables"]>(isPlainObject, "it takes an object with the rows of each table"),
  timers: z.array(timer),
  timerSequence: count,
  seed: anyText,
  streams: z.custom<WorldSnapshot["streams"]>(isPlainObject, "it takes an object with the state of each stream"),
  journal: z.custom<WorldSnapshot["journal"]>(Array.isArray, "it takes a list of entries"),
  forgotten: shapeOf<ForgottenEntries>()(() => ({ count, digest: anyText })),
}));

/**
 * Reads the world of a snapshot, which may come from an edited file, so every part and every row is checked.
 * @param tables the tables that this world declares
 * @throws {CentavoError} `INVALID_SNAPSHOT` naming the wrong field
 */
export function readWorld(
  snapshot: unknown,
  tables: ReadonlyMap<string, Table<unknown>>,
  redaction: Redacting,
): WorldSnapshot {
  const require = (schema: z.ZodMiniType, value: unknown, place: string, row = ""): void => {
    const { complaint } = readPart(schema, value, redaction, place);
    if (complaint !== undefined) throw invalidSnapshot(row + complaint);
  };
  require(outline, snapshot, "world");
  const world = snapshot as WorldSnapshot;
  for (const [name, state] of Object.entries(world.streams)) require(streamState, state, `world.streams.${name}`);
  for (const [name, rows] of Object.entries<unknown>(world.tables)) {
    const table = tables.get(name);
    if (table === undefined) throw invalidSnapshot(`this world has no table "${name}"`);
    if (!Array.isArray(rows)) throw invalidSnapshot(`the table "${name}" is not a list of [id, row]`);
    if (rows.length > 0) requireRows(name, table.schema, rows, require);
  }
  const missing = [...tables.keys()].find((name) => !Object.hasOwn(world.tables, name));
  if (missing !== undefined) throw invalidSnapshot(`the table "${missing}" is missing`);
  for (const [index, entry] of world.journal.entries()) {
    const problem = problemInEntry(entry, `world.journal[${index}]`, redaction);
    if (problem !== undefined) throw invalidSnapshot(problem);
  }
  return world;
}

/** In characters. A name in a file can be as long as the file. */
export const LONGEST_REASON = 2000;

/**
 * Returns the error for a snapshot that cannot be restored.
 * @param or an alternative to passing a valid snapshot
 */
export function invalidSnapshot(why: string, cause?: unknown, or = ""): CentavoError {
  return new CentavoError(
    "INVALID_SNAPSHOT",
    `sim.restore: ${shortened(why, LONGEST_REASON).replace(/\.$/, "")}. Restore what sim.snapshot() returned, in a simulator of the same version and seed${or}; the world is as it was.`,
    { cause },
  );
}

type Require = (schema: z.ZodMiniType, value: unknown, place: string, row: string) => void;

function requireRows(table: string, schema: z.ZodMiniType, rows: readonly unknown[], require: Require): void {
  const ids = new Set<string>();
  for (const [index, entry] of rows.entries()) {
    if (!isEntry(entry))
      throw invalidSnapshot(`the table "${table}" is not a list of [id, row]; look at its [${index}]`);
    const [id, row] = entry;
    const name = `the row ${inWords(id)} of the table "${table}"`;
    if (ids.has(id)) throw invalidSnapshot(`${name} appears twice`);
    ids.add(id);
    require(schema, row, "", `${name}: `);
  }
}

function isEntry(value: unknown): value is readonly [id: string, row: unknown] {
  return Array.isArray(value) && value.length === 2 && typeof value[0] === "string";
}

function isPlainObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
