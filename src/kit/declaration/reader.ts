import type { RowIndex } from "../engine/row-index.ts";
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
 * @param index finds the rows, by their status if filters take one
 * @param names the statuses that filters take; none without it
 * @param find finds a row by its id, or by another text that a test knows it by
 */
export function readerOf<
  StoredRow extends { readonly id: string },
  View extends object,
  Field extends string,
  const Names extends { readonly status?: readonly string[] } & FilterNames = {},
>(
  name: string,
  index: RowIndex<StoredRow, Field>,
  view: (row: StoredRow) => View,
  names: Names = {} as Names,
  find = (id: string): StoredRow | undefined => index.get(id),
): Reader<View, Names> {
  const field = "status" as Field;
  // A copy, so that a test that changes a view does not change the world.
  const viewed = (row: StoredRow | undefined): View | undefined =>
    row === undefined ? undefined : structuredClone(view(row));
  const wanted = (call: string, filter: object): string[] | undefined => namesWanted(`${name}.${call}`, filter, names);
  return {
    get: (id) => viewed(find(id)),
    list: (filter = {}) => {
      const statuses = wanted("list", filter);
      return structuredClone((statuses === undefined ? index.all() : index.having(field, statuses)).map(view));
    },
    last: (filter = {}) => viewed(index.having(field, wanted("last", filter), 1)[0]),
  };
}
