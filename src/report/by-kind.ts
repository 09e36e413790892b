import type { JournalEntryKind, StoredEntry } from "../kit/engine/journal-entries.ts";

/** What is said of some kinds of entry. */
export type ByKind<Said> = {
  readonly [Kind in JournalEntryKind]?: (entry: Extract<StoredEntry, { readonly kind: Kind }>) => Said;
};

/** Returns what is said of an entry; undefined for a kind of which nothing is. */
export function saidOf<Said>(table: ByKind<Said>, entry: StoredEntry): Said | undefined {
  return (table[entry.kind] as ((entry: StoredEntry) => Said) | undefined)?.(entry);
}
