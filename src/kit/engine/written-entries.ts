import { diagnosticsChannel } from "../base/runtime/diagnostics.ts";
import type { StoredEntry } from "./journal-entries.ts";
import type { Journal } from "./journal.ts";

/** The rows of a simulator's world, for readers of its entries. */
export interface WorldOfEntries {
  readonly tables: ReadonlyMap<string, { get(key: string): unknown }>;
}

/** What the channel `centavo:journal` says when entries of a journal have become final: after a unit, or outside one. */
export interface WrittenEntries {
  /** Their world: the same object in all messages of a simulator. */
  readonly world: WorldOfEntries;
  /** The entries since the last message. Those that came with a snapshot or a fork are left out: they were told where they happened. */
  readonly entries: readonly StoredEntry[];
}

const written = diagnosticsChannel<WrittenEntries>("centavo:journal");

/** Tells of entries that no unit can undo any more, and drops what a bounded journal no longer keeps. */
export function entriesAreFinal(world: WorldOfEntries, journal: Journal): void {
  if (written.hasSubscribers) written.publish({ world, entries: journal.takeNew() });
  journal.trim();
}
