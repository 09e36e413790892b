import type { StoreAdapter, StoreCall } from "../../merchant/process/store.ts";
import { postgresStoreOf } from "./postgres-server.ts";
import { writes } from "./statements.ts";

/** What `knexStore` needs of Knex. */
export interface KnexInstance {
  raw(sql: string): PromiseLike<unknown>;
  destroy(): Promise<void>;
  readonly client: { readonly pool?: { readonly max: number; numUsed(): number; numPendingAcquires(): number } };
}

/** The options of `knexStore`. */
export interface KnexStoreOptions<Knex extends KnexInstance> {
  /** Returns a new instance for a database. Called for each start of the merchant's program, because connections end with it. */
  readonly connect: (database: string) => Knex;
  /** Makes the tables, and the rows that every story begins with. Called once. */
  readonly create: (knex: Knex) => unknown;
  /** A database that exists, from which the exam makes its own; `postgres` by default. */
  readonly maintenanceDatabase?: string;
}

/**
 * Makes the store of a merchant on PostgreSQL with Knex. The exam makes a database of its own, so the user has to be allowed to create one, and
 * drops it at the end. When the program ends, its connections end, and the server rolls back what it has not committed.
 *
 * @param options how to connect to a database of the server, and how to make the tables
 * @throws what `connect`, `create` and the server throw, when the exam opens the store
 *
 * @example
 * await exam({
 *   store: knexStore({
 *     connect: (database) => knex({ client: "pg", connection: { host: "127.0.0.1", user: "postgres", database } }),
 *     create: (knex) => knex.raw("create table orders (id text primary key, status text not null)"),
 *   }),
 *   open: ({ store, fetch, url }) => createShop({ knex: store, fetch, url }),
 *   books: async ({ store }) => ({ orders: await store("orders").select("id", "status") }),
 *   acts: { order: ({ visit, id, method }) => visit("POST", "/orders", { id, method }) },
 * });
 */
export function knexStore<Knex extends KnexInstance>(options: KnexStoreOptions<Knex>): StoreAdapter<Knex> {
  return postgresStoreOf(
    {
      connect: options.connect,
      query: async (knex, sql) => ((await knex.raw(sql)) as { readonly rows?: readonly unknown[] }).rows ?? [],
      waiting: ({ client: { pool } }) =>
        pool !== undefined && pool.numUsed() >= pool.max ? pool.numPendingAcquires() : 0,
      isWrite,
      end: (knex) => knex.destroy(),
    },
    options,
  );
}

function isWrite({ method, target }: StoreCall): boolean {
  if (method === "transaction" || method === "commit") return true;
  if (method !== "then" || !("toSQL" in target) || typeof target.toSQL !== "function") return false;
  const statements = [Reflect.apply(target.toSQL, target, []) as unknown].flat();
  return statements.some((each) => writes(String((each as { readonly sql?: unknown }).sql)));
}
