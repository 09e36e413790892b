import { diagnosticsChannel } from "../base/runtime/diagnostics.ts";
import type { StoredEntry } from "./journal-entries.ts";
import type { Journal } from "./journal.ts";

/** The rows of a simulator's world, for readers of its entries. */
export interface WorldOfEntries {
  readonly tables: ReadonlyMap<string, { get(key: string): unknown }>;
}

/** A message of the channel `centavo:journal`: the entries that became final, after a unit or outside one. */
export interface WrittenEntries {
  /** The entries' world: the same object in all messages of a simulator. */
  readonly world: WorldOfEntries;
  /** The entries since the last message, without those that came with a snapshot or a fork: they were published where they happened. */
  readonly entries: readonly StoredEntry[];
}

const written = diagnosticsChannel<WrittenEntries>("centavo:journal");

/** Publishes the entries that no unit can undo any more, and drops what a bounded journal no longer keeps. */
export function entriesAreFinal(world: WorldOfEntries, journal: Journal): void {
  if (written.hasSubscribers) written.publish({ world, entries: journal.takeNew() });
  journal.trim();
}
