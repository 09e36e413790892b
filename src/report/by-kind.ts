import type { JournalEntryKind, StoredEntry } from "../kit/engine/journal-entries.ts";

/** What to say about some kinds of entry. */
export type ByKind<Said> = {
  readonly [Kind in JournalEntryKind]?: (entry: Extract<StoredEntry, { readonly kind: Kind }>) => Said;
};

/** Returns what to say about an entry; undefined if its kind has no text. */
export function saidOf<Said>(table: ByKind<Said>, entry: StoredEntry): Said | undefined {
  return (table[entry.kind] as ((entry: StoredEntry) => Said) | undefined)?.(entry);
}
