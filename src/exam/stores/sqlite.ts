import type { StoreAdapter, StoreCall } from "../../merchant/process/store.ts";
import { statementOf, writes } from "./statements.ts";

/** What `sqliteStore` needs of a database. `DatabaseSync` of `node:sqlite` and the databases of `better-sqlite3` have it. */
export interface SqliteDatabase {
  exec(sql: string): unknown;
  close(): unknown;
  /** Whether a transaction is open, in `node:sqlite`. */
  readonly isTransaction?: boolean;
  /** Whether a transaction is open, in `better-sqlite3`. */
  readonly inTransaction?: boolean;
}

/** The options of `sqliteStore`. */
export interface SqliteStoreOptions<Database extends SqliteDatabase> {
  /** Opens an empty database in memory. Called for each story. */
  readonly open: () => Database;
  /** Makes the tables, and the rows that every story begins with. */
  readonly create: (database: Database) => unknown;
}

/** The methods of a statement that run it. */
const RUNS: ReadonlySet<string> = new Set(["run", "get", "all", "iterate"]);

/**
 * Makes the store of a merchant on SQLite with `node:sqlite` or `better-sqlite3`, or with what takes a database of them, such as Drizzle.
 * When the program ends in a transaction, it is rolled back.
 *
 * @param options how to open an empty database, and how to make its tables
 * @throws what `open` and `create` throw, when a story begins
 *
 * @example
 * await exam({
 *   store: sqliteStore({
 *     open: () => new DatabaseSync(":memory:"),
 *     create: (database) => database.exec("create table orders (id text primary key, status text not null)"),
 *   }),
 *   open: ({ store, fetch, url }) => createShop({ database: store, fetch, url }),
 *   books: ({ store }) => ({ orders: store.prepare("select id, status from orders").all() }),
 *   acts: { order: ({ visit, id, method }) => visit("POST", "/orders", { id, method }) },
 * });
 */
export function sqliteStore<Database extends SqliteDatabase>({
  open,
  create,
}: SqliteStoreOptions<Database>): StoreAdapter<Database> {
  return {
    open: async () => {
      const database = open();
      await create(database);
      return database;
    },
    isWrite,
    rollBack: (database) => {
      if (database.isTransaction === true || database.inTransaction === true) database.exec("rollback");
    },
    close: (database) => database.close(),
  };
}

function isWrite({ method, parameters: [sql], on }: StoreCall): boolean {
  if (method === "exec") return writes(statementOf(sql));
  // better-sqlite3 makes a function that commits at its end.
  if (on?.method === "transaction") return true;
  return RUNS.has(method) && preparedIn(on);
}

/** Whether a write was prepared. Statements of better-sqlite3 return themselves, such as from `pluck`. */
function preparedIn(call: StoreCall | undefined): boolean {
  if (call === undefined) return false;
  return call.method === "prepare" ? writes(statementOf(call.parameters[0])) : preparedIn(call.on);
}
