import { DatabaseSync } from "node:sqlite";
import { PGlite } from "@electric-sql/pglite";
import { pgliteStore, sqliteStore } from "centavo/exam";
import { DDL } from "./stores/shop.ts";
import type { Row } from "./stores/shop.ts";

export const sqlite = sqliteStore({
  open: () => new DatabaseSync(":memory:"),
  create: (database) => database.exec(DDL),
});

export const pglite = pgliteStore({ open: () => PGlite.create(), create: (database) => database.exec(DDL) });

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
