import { CentavoError } from "../base/errors/centavo-error.ts";
import { deepFreeze } from "./deep-freeze.ts";
import { Journal } from "./journal.ts";
import type { JournalOptions, JournalSnapshot } from "./journal.ts";
import { RandomStreams } from "./random.ts";
import { Table } from "./table.ts";
import type { TableOptions } from "./table.ts";
import { Timers } from "./timers.ts";
import type { Timer } from "./timer.ts";
import type { UndoLog } from "./undo-log.ts";
import type { WorldSnapshot } from "./world-snapshot.ts";

/** Everything that a world is made of: rows, timers, random streams and the journal. They share one undo log. */
export class WorldParts {
  readonly #log: UndoLog;
  readonly #tables = new Map<string, Table<unknown>>();
  readonly timers: Timers;
  readonly random: RandomStreams;
  readonly journal: Journal;

  constructor(log: UndoLog, seed: string, journal: JournalOptions | undefined) {
    this.#log = log;
    this.timers = new Timers(log);
    this.random = new RandomStreams(log, seed);
    this.journal = new Journal(log, journal);
  }

  /** The tables by name, in the order in which they were declared. */
  get tables(): ReadonlyMap<string, Table<unknown>> {
    return this.#tables;
  }

  table<Value>(name: string, options: TableOptions<Value>): Table<Value> {
    if (this.#tables.has(name)) {
      throw new CentavoError(
        "MACHINE_DEFECT",
        `The table "${name}" is declared twice. Declare it once and pass it to each part that needs it.`,
      );
    }
    const table = new Table<Value>(this.#log, name, options);
    this.#tables.set(name, table as Table<unknown>);
    return table;
  }

  /** Whether this text is an id or a key that this world issued, or was given at its beginning. */
  isIdentifiedBy(text: string): boolean {
    for (const table of this.#tables.values()) if (table.isIdentifiedBy(text)) return true;
    return false;
  }

  /** Returns the ids and keys that identify this world: of each kind, up to `most` of the newest. */
  identifiers(most: number): string[] {
    return [...this.#tables.values()].flatMap((table) => table.identifiers(most));
  }

  /**
   * Returns the world as frozen data.
   * @param journal all entries, or only the newest
   */
  snapshot(now: number, timers: readonly Timer[], journal: JournalSnapshot): WorldSnapshot {
    const tables: Record<string, WorldSnapshot["tables"][string]> = {};
    for (const [name, table] of this.#tables) tables[name] = table.entries();
    return Object.freeze({
      now,
      tables: Object.freeze(tables),
      timers: deepFreeze(timers),
      timerSequence: this.timers.sequence,
      seed: this.random.seed,
      streams: deepFreeze(this.random.snapshot()),
      ...journal,
    });
  }

  /**
   * Replaces all parts by those of a snapshot.
   * @throws {CentavoError} `MACHINE_DEFECT` when two rows have the same key; the parts then stay as they were
   */
  replaceAll(snapshot: WorldSnapshot): void {
    const filled = [...this.#tables].map(
      ([name, table]) => [table, table.filledWith(snapshot.tables[name] ?? [])] as const,
    );
    for (const [table, rows] of filled) table.copyFrom(rows);
    this.timers.replaceAll(snapshot.timers, snapshot.timerSequence);
    this.random.restore(snapshot.seed, snapshot.streams);
    this.journal.replaceAll(snapshot);
  }

  /**
   * Copies the parts of another world. Both share rows, entries and timers, which are immutable.
   * @param inFlight timers of the other world whose work is in flight, so that they are no longer on its clock
   * @throws {CentavoError} `MACHINE_DEFECT` when the two worlds declare different tables
   */
  copyFrom(other: WorldParts, inFlight: readonly Timer[]): void {
    const [mine, theirs] = [this, other].map(({ tables }) => [...tables.keys()].toSorted().join(", "));
    if (mine !== theirs) {
      throw new CentavoError(
        "MACHINE_DEFECT",
        `A world with the tables ${mine} cannot take over one with the tables ${theirs}.`,
      );
    }
    for (const [name, table] of this.#tables) table.copyFrom(other.#tables.get(name) as Table<unknown>);
    this.timers.copyFrom(other.timers, inFlight);
    this.random.restore(other.random.seed, other.random.snapshot());
    this.journal.copyFrom(other.journal);
  }
}
