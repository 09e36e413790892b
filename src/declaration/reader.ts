/** Reads resources for a test, without a request and without a journal entry. */
export interface Reader<View> {
  /** Returns the resource with this id, or undefined. */
  get(id: string): View | undefined;
  /** Returns all resources, oldest first. */
  list(): View[];
  /** Returns the newest resource, or undefined if there are none. */
  last(): View | undefined;
}

/** Makes a reader of stored rows. */
export function readerOf<StoredRow, View>(
  source: { get(id: string): StoredRow | undefined; all(): StoredRow[] },
  view: (row: StoredRow) => View,
): Reader<View> {
  // A copy, so that a test that changes a view does not change the world.
  const copy = (row: StoredRow): View => structuredClone(view(row));
  const viewed = (row: StoredRow | undefined): View | undefined => (row === undefined ? undefined : copy(row));
  return {
    get: (id) => viewed(source.get(id)),
    list: () => source.all().map(copy),
    last: () => viewed(source.all().at(-1)),
  };
}
