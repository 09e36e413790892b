import type { Membership } from "./memberships.ts";
import type { Order } from "./orders.ts";

/**
 * What outlives the shop's program. A real shop has a database here, with a table for each field. Rows are never changed in place: each change
 * puts a new row into the place of the old one, so that it is stored as a whole or not at all.
 */
export interface ShopStore {
  readonly orders: Map<string, Order>;
  readonly memberships: Map<string, Membership>;
  /** The ids of the events that were applied. */
  readonly events: Set<string>;
}

/** Returns a store that lives as long as the program. */
export function emptyStore(): ShopStore {
  return { orders: new Map(), memberships: new Map(), events: new Set() };
}
