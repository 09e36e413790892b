import type { StoreAdapter } from "../../merchant/process/store.ts";
import { keepRows } from "./postgres-rows.ts";
import { statementOf, writes } from "./statements.ts";

/** What `pgliteStore` needs of a database. `PGlite` has it. */
export interface PgliteDatabase {
  query(sql: string): Promise<{ readonly rows: readonly unknown[] }>;
  exec(sql: string): Promise<unknown>;
  close(): Promise<void>;
}

/** The options of `pgliteStore`. */
export interface PgliteStoreOptions<Database extends PgliteDatabase> {
  /** Opens an empty database in memory. Called once, because it takes long. */
  readonly open: () => Database | Promise<Database>;
  /** Makes the tables, and the rows that every story begins with. Called once. */
  readonly create: (database: Database) => unknown;
}

const CALLS: ReadonlySet<string> = new Set(["query", "exec", "sql"]);

/**
 * Makes the store of a merchant on PGlite, or with what takes a database of it, such as Drizzle. All stories share one database, and each
 * begins with the rows that `create` made. When the program ends in a transaction, it is rolled back.
 *
 * @param options how to open an empty database, and how to make its tables
 * @throws what `open` and `create` throw, when the exam opens the store
 *
 * @example
 * await exam({
 *   store: pgliteStore({
 *     open: () => PGlite.create(),
 *     create: (database) => database.exec("create table orders (id text primary key, status text not null)"),
 *   }),
 *   open: ({ store, fetch, url }) => createShop({ database: store, fetch, url }),
 *   books: async ({ store }) => ({ orders: (await store.query("select id, status from orders")).rows }),
 *   acts: { order: ({ visit, id, method }) => visit("POST", "/orders", { id, method }) },
 * });
 */
export function pgliteStore<Database extends PgliteDatabase>({
  open,
  create,
}: PgliteStoreOptions<Database>): StoreAdapter<Database> {
  return {
    open: async () => {
      const database = await open();
      await create(database);
      return database;
    },
    isWrite: ({ method, parameters: [sql] }) => CALLS.has(method) && writes(statementOf(sql)),
    keep: (database) => keepRows(async (sql) => (await database.query(sql)).rows),
    putBack: async (database, restore) => database.exec(String(restore)),
    rollBack: async (database) => database.exec("rollback"),
    close: async (database) => database.close(),
  };
}
