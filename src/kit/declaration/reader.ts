import type { Table } from "../engine/table.ts";
import { namesWanted } from "./filter.ts";
import type { Filter, FilterNames } from "./filter.ts";

/** Reads resources for a test, without a request and without a journal entry. */
export interface Reader<View, Names extends FilterNames = {}> {
  /** Returns the resource with this id, or undefined. */
  get(id: string): View | undefined;
  /**
   * Returns all resources, oldest first, or those that match a filter.
   * @throws {CentavoError} `INVALID_OPTION` for an unknown field or name, suggesting the nearest known one
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
 * @param names the statuses that filters take, if views have one; none without it
 * @param find finds a row by its id, or by another text that a test knows it by
 */
export function readerOf<
  StoredRow,
  View extends object,
  const Names extends { readonly status?: readonly string[] } & FilterNames = {},
>(
  name: string,
  rows: Pick<Table<StoredRow>, "get" | "all">,
  view: (row: StoredRow) => View,
  names: Names = {} as Names,
  find = (id: string): StoredRow | undefined => rows.get(id),
): Reader<View, Names> {
  // A copy, so that a test that changes a view does not change the world.
  const viewed = (row: StoredRow | undefined): View | undefined =>
    row === undefined ? undefined : structuredClone(view(row));
  const isWanted = (call: string, filter: object): ((view: View) => boolean) => {
    const statuses = namesWanted(`${name}.${call}`, filter, names);
    return (each) => statuses === undefined || statuses.includes((each as { readonly status?: string }).status ?? "");
  };
  return {
    get: (id) => viewed(find(id)),
    list: (filter = {}) => structuredClone(rows.all().map(view).filter(isWanted("list", filter))),
    last: (filter = {}) => {
      const isLast = isWanted("last", filter);
      return viewed(rows.all().findLast((row) => isLast(view(row))));
    },
  };
}
