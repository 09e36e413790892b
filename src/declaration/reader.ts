import { readFilter } from "./filter.ts";
import type { Filter, FilterNames } from "./filter.ts";

/** Reads resources for a test, without a request and without a journal entry. */
export interface Reader<View, Names extends FilterNames = {}> {
  /** Returns the resource with this id, or undefined. */
  get(id: string): View | undefined;
  /**
   * Returns all resources, oldest first, or those that match a filter.
   * @throws {CentavoError} `INVALID_OPTION` for an unknown field or name, with the nearest right one
   */
  list(filter?: Filter<Names>): View[];
  /** Returns the newest resource, or the newest that matches a filter; undefined if there is none. */
  last(filter?: Filter<Names>): View | undefined;
}

/** A view that names its merchant. */
export type Owned<View> = View & { readonly merchantId: string };

/**
 * Makes a reader of stored rows.
 * @param name what a simulator calls it, for messages
 * @param names the fields of a view that filters take, each with its names
 */
export function readerOf<StoredRow, View extends object, const Names extends FilterNames = {}>(
  name: string,
  source: { get(id: string): StoredRow | undefined; all(): StoredRow[] },
  view: (row: StoredRow) => View,
  names: Names = {} as Names,
): Reader<View, Names> {
  // A copy, so that a test that changes a view does not change the world.
  const copy = (row: StoredRow): View => structuredClone(view(row));
  const viewed = (row: StoredRow | undefined): View | undefined => (row === undefined ? undefined : copy(row));
  const listed = (call: string, filter: object): View[] =>
    source
      .all()
      .map(view)
      .filter(readFilter(`${name}.${call}`, filter, names));
  return {
    get: (id) => viewed(source.get(id)),
    list: (filter = {}) => structuredClone(listed("list", filter)),
    last: (filter) =>
      filter === undefined ? viewed(source.all().at(-1)) : structuredClone(listed("last", filter).at(-1)),
  };
}
