import type { JournalEntryKind, StoredEntry } from "../kit/engine/journal-entries.ts";

/** A text for some kinds of entry. */
export type ByKind<Said> = {
  readonly [Kind in JournalEntryKind]?: (entry: Extract<StoredEntry, { readonly kind: Kind }>) => Said;
};

export function saidOf<Said>(table: ByKind<Said>, entry: StoredEntry): Said | undefined {
  return (table[entry.kind] as ((entry: StoredEntry) => Said) | undefined)?.(entry);
}
