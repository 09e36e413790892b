import { DatabaseSync } from "node:sqlite";
import { PGlite } from "@electric-sql/pglite";
import type { StoreAdapter } from "centavo/exam";

const TABLE = `create table orders (
  id text primary key, amount integer not null, status text not null, fulfilments integer not null, intent text
)`;

const writes = (sql: unknown): boolean => /^\s*(insert|update|delete|commit)/i.test(String(sql));

/** SQLite in memory: each story opens a database of its own. */
export const sqlite: StoreAdapter<DatabaseSync> = {
  open: () => {
    const database = new DatabaseSync(":memory:");
    database.exec(TABLE);
    return database;
  },
  isWrite: ({ method, parameters: [sql], on }) => {
    if (method === "exec") return writes(sql);
    return on?.method === "prepare" && writes(on.parameters[0]);
  },
  rollBack: (database) => {
    try {
      database.exec("rollback");
    } catch {
      // No transaction was open.
    }
  },
  close: (database) => database.close(),
};

/** PGlite in memory: it takes long to open, so all stories have the same one, and each begins with empty tables. */
export const pglite: StoreAdapter<PGlite> = {
  open: async () => {
    const database = await PGlite.create();
    await database.exec(TABLE);
    return database;
  },
  isWrite: ({ method, parameters: [sql] }) => (method === "query" || method === "exec") && writes(sql),
  putBack: async (database) => database.exec("delete from orders"),
  rollBack: async (database) => database.exec("rollback"),
  close: async (database) => database.close(),
};

/** An order as a row. */
export interface Row {
  readonly id: string;
  readonly amount: number;
  readonly status: string;
  readonly fulfilments: number;
  readonly intent: string | null;
}

/** What the shop asks of its database. */
export interface Tables {
  all(): Promise<readonly Row[]>;
  /** Runs statements in one transaction. */
  inTransaction(
    work: (run: (sql: string, ...parameters: readonly (string | number)[]) => Promise<number>) => Promise<void>,
  ): Promise<void>;
}

export function tablesOfSqlite(database: DatabaseSync): Tables {
  return {
    all: async () => database.prepare("select * from orders order by id").all() as unknown as readonly Row[],
    inTransaction: async (work) => {
      database.exec("begin");
      try {
        await work(async (sql, ...parameters) => Number(database.prepare(sql).run(...parameters).changes));
        database.exec("commit");
      } catch (error) {
        database.exec("rollback");
        throw error;
      }
    },
  };
}

export function tablesOfPglite(database: PGlite): Tables {
  return {
    all: async () => (await database.query<Row>("select * from orders order by id")).rows,
    inTransaction: async (work) =>
      database.transaction((transaction) =>
        work(async (sql, ...parameters) => {
          let place = 0;
          const numbered = sql.replaceAll("?", () => `$${(place += 1)}`);
          return (await transaction.query(numbered, [...parameters])).affectedRows ?? 0;
        }),
      ),
  };
}
