import { CentavoError } from "../errors/centavo-error.ts";
import type { JournalEntry } from "./journal-entries.ts";
import type { ForgottenEntries } from "./journal.ts";
import type { Timer } from "./timer.ts";

/** A world as plain JSON. */
export interface WorldSnapshot {
  readonly now: number;
  readonly tables: Readonly<Record<string, readonly (readonly [string, unknown])[]>>;
  readonly timers: readonly Timer[];
  readonly timerSequence: number;
  readonly seed: string;
  readonly streams: Readonly<Record<string, readonly number[]>>;
  readonly journal: readonly JournalEntry[];
  /** What a bounded journal has dropped. */
  readonly forgotten: ForgottenEntries;
}

/**
 * Checks the outline of a snapshot, which may come from an edited file or from another version.
 * @param tables the tables that this world declares
 * @throws {CentavoError} `INVALID_SNAPSHOT` that names the wrong part
 */
export function checkSnapshot(snapshot: unknown, tables: ReadonlySet<string>): asserts snapshot is WorldSnapshot {
  if (!isRecord(snapshot)) throw invalidSnapshot("it is not an object");
  const { now, seed, timerSequence, streams, timers, journal } = snapshot;
  if (!isMoment(now)) throw invalidSnapshot("now is not a whole number of milliseconds");
  if (typeof seed !== "string") throw invalidSnapshot("seed is not a string");
  if (!isCount(timerSequence)) throw invalidSnapshot("timerSequence is not a whole number");
  if (!isRecord(snapshot["tables"])) throw invalidSnapshot("tables is not an object");
  for (const [name, rows] of Object.entries(snapshot["tables"])) {
    if (!tables.has(name)) throw invalidSnapshot(`this world has no table "${name}"`);
    if (!Array.isArray(rows) || !rows.every(isEntry))
      throw invalidSnapshot(`the table "${name}" is not a list of [id, row]`);
  }
  for (const name of tables) {
    if (!Object.hasOwn(snapshot["tables"], name)) throw invalidSnapshot(`the table "${name}" is missing`);
  }
  if (!isRecord(streams) || !Object.values(streams).every(isStreamState))
    throw invalidSnapshot("streams has a state that is not four whole numbers");
  if (!Array.isArray(timers) || !timers.every(isTimer)) throw invalidSnapshot("timers is not a list of timers");
  const { forgotten } = snapshot;
  if (!isRecord(forgotten) || !isCount(forgotten["count"]) || typeof forgotten["digest"] !== "string")
    throw invalidSnapshot("forgotten is not a count of entries with their digest");
  const first = Number(forgotten["count"]) + 1;
  if (!Array.isArray(journal) || !journal.every((entry, index) => isJournalEntry(entry, first + index)))
    throw invalidSnapshot(`journal is not a list of entries numbered from ${first}`);
}

/** Returns the error for a snapshot that cannot be restored. */
export function invalidSnapshot(why: string, cause?: unknown): CentavoError {
  return new CentavoError(
    "INVALID_SNAPSHOT",
    `The snapshot cannot be restored: ${why}. Restore what sim.snapshot() returned, unchanged, in a simulator of the same version; the world is as it was.`,
    { cause },
  );
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function isMoment(value: unknown): boolean {
  return Number.isInteger(value) && !Number.isNaN(new Date(value as number).getTime());
}

function isCount(value: unknown): boolean {
  return Number.isSafeInteger(value) && (value as number) >= 0;
}

function isEntry(entry: unknown): boolean {
  return Array.isArray(entry) && entry.length === 2 && typeof entry[0] === "string" && entry[1] !== undefined;
}

function isStreamState(state: unknown): boolean {
  return Array.isArray(state) && state.length === 4 && state.every(Number.isInteger);
}

function isTimer(timer: unknown): boolean {
  return (
    isRecord(timer) &&
    isMoment(timer["at"]) &&
    isCount(timer["sequence"]) &&
    isCount(timer["depth"]) &&
    ["owner", "subject", "name"].every((name) => typeof timer[name] === "string") &&
    isRecord(timer["input"]) &&
    typeof timer["input"]["type"] === "string"
  );
}

function isJournalEntry(entry: unknown, sequence: number): boolean {
  return (
    isRecord(entry) &&
    entry["sequence"] === sequence &&
    isMoment(entry["at"]) &&
    typeof entry["kind"] === "string" &&
    isRecord(entry["details"])
  );
}
