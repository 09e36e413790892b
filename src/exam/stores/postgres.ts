import type { StoreAdapter } from "../../merchant/process/store.ts";
import { postgresStoreOf } from "./postgres-server.ts";
import type { PostgresDriver } from "./postgres-server.ts";
import { statementOf, writes } from "./statements.ts";

/** What `postgresStore` needs of a client of the package `pg`. */
export interface PostgresClient {
  /** The number of the server's process that serves it. */
  readonly processID?: number | null;
  on(event: "error", listener: (error: Error) => void): unknown;
}

/** What `postgresStore` needs of a pool. A `Pool` of the package `pg` has it. */
export interface PostgresPool {
  query(sql: string): Promise<{ readonly rows: readonly unknown[] }>;
  end(): Promise<void>;
  on(event: "error", listener: (error: Error) => void): unknown;
  on(event: "connect", listener: (client: PostgresClient) => void): unknown;
  readonly idleCount: number;
  readonly waitingCount: number;
}

/** The options of `postgresStore`. */
export interface PostgresStoreOptions<Pool extends PostgresPool> {
  /** Returns a new pool for a database. Called for each start of the merchant's program, because connections end with it. */
  readonly connect: (database: string) => Pool;
  /** Makes the tables, and the rows that every story begins with. Called once. */
  readonly create: (pool: Pool) => unknown;
  /** A database that exists, from which the exam makes its own; `postgres` by default. */
  readonly maintenanceDatabase?: string;
}

/**
 * Makes the store of a merchant on PostgreSQL with the package `pg`, or with what takes a pool of it, such as Drizzle, Kysely and Prisma. The exam
 * makes a database of its own, so the user has to be allowed to create one, and drops it at the end. When the program ends, its connections end,
 * and the server rolls back what it has not committed.
 *
 * @param options how to connect to a database of the server, and how to make the tables
 * @throws what `connect`, `create` and the server throw, when the exam opens the store
 *
 * @example
 * await exam({
 *   store: postgresStore({
 *     connect: (database) => new Pool({ host: "127.0.0.1", user: "postgres", database }),
 *     create: (pool) => pool.query("create table orders (id text primary key, status text not null)"),
 *   }),
 *   open: ({ store, fetch, url }) => createShop({ database: drizzle(store), fetch, url }),
 *   books: async ({ store }) => ({ orders: (await store.query("select id, status from orders")).rows }),
 *   acts: { order: ({ visit, id, method }) => visit("POST", "/orders", { id, method }) },
 * });
 */
export function postgresStore<Pool extends PostgresPool>(options: PostgresStoreOptions<Pool>): StoreAdapter<Pool> {
  const processes = new WeakMap<Pool, number[]>();
  const driver: PostgresDriver<Pool> = {
    connect: (database) => {
      const pool = withoutErrors(options.connect(database));
      const own: number[] = [];
      processes.set(pool, own);
      pool.on("connect", ({ processID }) => {
        if (typeof processID === "number") own.push(processID);
      });
      return pool;
    },
    processes: (pool) => processes.get(pool) ?? [],
    query: async (pool, sql) => (await pool.query(sql)).rows ?? [],
    waiting: ({ idleCount, waitingCount }) => (idleCount === 0 ? waitingCount : 0),
    isWrite: ({ method, parameters: [query] }) => method === "query" && writes(statementOf(query)),
    end: (pool) => pool.end(),
  };
  return postgresStoreOf(driver, options);
}

/** Takes the errors of connections that the exam or the server has ended. Uncaught, they would end the process. */
function withoutErrors<Pool extends PostgresPool>(pool: Pool): Pool {
  pool.on("error", () => undefined);
  pool.on("connect", (client) => client.on("error", () => undefined));
  return pool;
}
