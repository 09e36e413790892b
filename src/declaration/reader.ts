/** How a test looks at resources, without a request and without leaving a trace in the journal. */
export interface Reader<View> {
  /** The resource, or undefined when no resource has this id. */
  get(id: string): View | undefined;
  /** All of them, oldest first. */
  list(): View[];
  /** The newest. */
  last(): View | undefined;
}

/** Reads stored rows as a test sees them. */
export function readerOf<StoredRow, View>(
  source: { get(id: string): StoredRow | undefined; all(): StoredRow[] },
  view: (row: StoredRow) => View,
): Reader<View> {
  // What a test does to a view must not reach the world.
  const copy = (row: StoredRow): View => structuredClone(view(row));
  const viewed = (row: StoredRow | undefined): View | undefined => (row === undefined ? undefined : copy(row));
  return {
    get: (id) => viewed(source.get(id)),
    list: () => source.all().map(copy),
    last: () => viewed(source.all().at(-1)),
  };
}
