import { rmSync } from "node:fs";
import { DatabaseSync } from "node:sqlite";
import { join } from "node:path";
import { PGlite } from "@electric-sql/pglite";
import { exam, knexStore, pgliteStore, postgresStore, redisStore, sqliteStore } from "centavo/exam";
import type { ExamOptions } from "centavo/exam";
import BetterSqlite from "better-sqlite3";
import { asc, eq, sql } from "drizzle-orm";
import { drizzle } from "drizzle-orm/node-postgres";
import { integer, pgTable, text } from "drizzle-orm/pg-core";
import { Redis } from "ioredis";
import knex from "knex";
import type { Knex } from "knex";
import { Pool } from "pg";
import { createClient } from "redis";
import { afterAll, beforeAll, expect, test } from "vitest";
import { tokenOf } from "../../../../src/exam/token.ts";
import { placed } from "../../../exam/placed.ts";
import { generated, generatePrisma } from "./prisma.ts";
import { startPostgres, startRedis } from "./servers.ts";
import type { Server } from "./servers.ts";
import { DDL, shopOn, tableOf } from "./shop.ts";
import type { Row, Table } from "./shop.ts";
import { byNight } from "../../../by-night.ts";

let postgres: Server;
let redis: Server;
let tableInPrisma: (pool: Pool) => Table;

beforeAll(async () => {
  tableInPrisma = await generatePrisma();
  postgres = startPostgres();
  redis = await startRedis();
});
afterAll(async () => {
  await Promise.all([postgres[Symbol.asyncDispose](), redis[Symbol.asyncDispose]()]);
  rmSync(generated, { recursive: true, force: true });
});

type Mistake = "fulfils each time";

const pool = () =>
  postgresStore({
    connect: (database) => new Pool({ host: postgres.folder, user: "postgres", database, max: 3 }),
    create: (connection) => connection.query(DDL),
  });

const orders = pgTable("orders", {
  id: text().primaryKey(),
  amount: integer().notNull(),
  status: text().notNull(),
  fulfilments: integer().notNull(),
  intent: text(),
});

const tableOfPg = (connection: Pool): Table =>
  tableOf(async (statement, ...given) => (await connection.query<Row>(statement, [...given])).rows);

/** Looks before it writes, which is right only in a transaction that locks the row. */
function tableOfDrizzle(connection: Pool): Table {
  const db = drizzle(connection);
  const fulfilment = { status: "paid", fulfilments: sql`${orders.fulfilments} + 1` };
  return {
    all: () => db.select().from(orders).orderBy(asc(orders.id)),
    add: (id, amount) =>
      db.insert(orders).values({ id, amount, status: "pending", fulfilments: 0 }).onConflictDoNothing(),
    link: (id, intent) => db.update(orders).set({ intent }).where(eq(orders.id, id)),
    fulfil: (id) =>
      db.transaction(async (transaction) => {
        const [order] = await transaction.select().from(orders).where(eq(orders.id, id)).for("update");
        if (order?.status !== "paid") await transaction.update(orders).set(fulfilment).where(eq(orders.id, id));
      }),
    fulfilAgain: (id) => db.update(orders).set(fulfilment).where(eq(orders.id, id)),
  };
}

function tableOfKnex(connection: Knex): Table {
  const fulfilment = ({ raw }: Knex) => ({ status: "paid", fulfilments: raw("fulfilments + 1") });
  return {
    all: async () => connection<Row>("orders").orderBy("id"),
    add: async (id, amount) =>
      connection("orders").insert({ id, amount, status: "pending", fulfilments: 0 }).onConflict("id").ignore(),
    link: async (id, intent) => connection("orders").where({ id }).update({ intent }),
    fulfil: (id) =>
      connection.transaction(async (transaction) => {
        const [order] = await transaction<Row>("orders").where({ id }).forUpdate();
        if (order?.status === "paid") return;
        await transaction("orders").where({ id }).update(fulfilment(transaction));
      }),
    fulfilAgain: async (id) => connection("orders").where({ id }).update(fulfilment(connection)),
  };
}

/** Each order has a key for each of its parts. */
function tableOfRedis(
  read: (key: string) => Promise<string | null>,
  run: (script: string, ...keys: string[]) => Promise<unknown>,
): Table {
  return {
    all: async () => {
      const rows: Row[] = [];
      for (const id of JSON.parse((await read("orders")) ?? "[]") as string[])
        rows.push(JSON.parse((await read(`order:${id}`)) ?? "{}") as Row);
      return rows;
    },
    add: (id, amount) =>
      run(
        "if redis.call('exists', KEYS[1]) == 1 then return 0 end redis.call('set', KEYS[1], ARGV[1]) local ids = cjson.decode(redis.call('get', 'orders') or '[]') table.insert(ids, ARGV[2]) table.sort(ids) return redis.call('set', 'orders', cjson.encode(ids))",
        `order:${id}`,
        JSON.stringify({ id, amount, status: "pending", fulfilments: 0, intent: null }),
        id,
      ),
    link: (id, intent) => run(changing("order.intent = ARGV[1]"), `order:${id}`, intent),
    fulfil: (id) =>
      run(
        changing("if order.status ~= 'paid' then order.fulfilments = order.fulfilments + 1 end order.status = 'paid'"),
        `order:${id}`,
      ),
    fulfilAgain: (id) =>
      run(changing("order.fulfilments = order.fulfilments + 1 order.status = 'paid'"), `order:${id}`),
  };
}

function changing(change: string): string {
  return `local order = cjson.decode(redis.call('get', KEYS[1])) ${change} return redis.call('set', KEYS[1], cjson.encode(order))`;
}

type Driver = { prepare(sql: string): { all(...given: never[]): unknown } };

const tableOfSqlite = (database: Driver): Table =>
  tableOf(async (statement, ...given) =>
    database.prepare(statement.replaceAll(/\$\d/g, "?")).all(...(reordered(statement, given) as never[])),
  );

/** Looks before it writes, in a transaction. */
function tableOfBetterSqlite(database: BetterSqlite.Database): Table {
  const run = (statement: string, ...given: readonly (string | number)[]) => database.prepare(statement).run(...given);
  const fulfil = "update orders set status = 'paid', fulfilments = fulfilments + 1 where id = ?";
  const fulfilOnce = database.transaction((id: string) => {
    const status = database.prepare("select status from orders where id = ?").pluck().get(id);
    if (status !== "paid") run(fulfil, id);
  });
  return {
    all: async () => database.prepare("select * from orders order by id").all() as readonly Row[],
    add: async (id, amount) =>
      run("insert into orders values (?, ?, 'pending', 0, null) on conflict do nothing", id, amount),
    link: async (id, intent) => run("update orders set intent = ? where id = ?", intent, id),
    fulfil: async (id) => fulfilOnce(id),
    fulfilAgain: async (id) => run(fulfil, id),
  };
}

/** In the order in which the statement names its parameters. */
function reordered(statement: string, given: readonly unknown[]): readonly unknown[] {
  return [...statement.matchAll(/\$(\d)/g)].map(([, number]) => given[Number(number) - 1]);
}

const socket = () => join(redis.folder, "redis.sock");

const stores: Readonly<Record<string, (mistake?: Mistake) => ExamOptions<never>>> = {
  pg: (mistake) => shopOn(pool(), tableOfPg, mistake) as never,
  "Drizzle on pg": (mistake) => shopOn(pool(), tableOfDrizzle, mistake) as never,
  "Prisma on pg": (mistake) => shopOn(pool(), tableInPrisma, mistake) as never,
  "Knex on pg": (mistake) =>
    shopOn(
      knexStore({
        connect: (database) =>
          knex({
            client: "pg",
            connection: { host: postgres.folder, user: "postgres", database },
            pool: { min: 0, max: 3 },
          }),
        create: (connection: Knex) => connection.raw(DDL),
      }),
      tableOfKnex,
      mistake,
    ) as never,
  PGlite: (mistake) =>
    shopOn(
      pgliteStore({ open: () => PGlite.create(), create: (database) => database.exec(DDL) }),
      (database) => tableOf(async (statement, ...given) => (await database.query(statement, [...given])).rows),
      mistake,
    ) as never,
  "node:sqlite": (mistake) =>
    shopOn(
      sqliteStore({ open: () => new DatabaseSync(":memory:"), create: (database) => database.exec(DDL) }),
      (database) => tableOfSqlite(database as Driver),
      mistake,
    ) as never,
  "better-sqlite3": (mistake) =>
    shopOn(
      sqliteStore({ open: () => new BetterSqlite(":memory:"), create: (database) => database.exec(DDL) }),
      tableOfBetterSqlite,
      mistake,
    ) as never,
  ioredis: (mistake) =>
    shopOn(
      redisStore({ connect: (db) => new Redis({ path: socket(), db }) }),
      (client) =>
        tableOfRedis(
          (key) => client.get(key),
          (script, key = "", ...given) => client.eval(script, 1, key, ...given),
        ),
      mistake,
    ) as never,
  redis: (mistake) =>
    shopOn(
      redisStore({
        connect: (database) =>
          createClient({ socket: { path: socket(), tls: false }, database })
            .on("error", () => undefined)
            .connect(),
      }),
      (client) =>
        tableOfRedis(
          (key) => client.get(key),
          (script, key = "", ...given) => client.eval(script, { keys: [key], arguments: given }),
        ),
      mistake,
    ) as never,
};
const names = Object.keys(stores);
/** A client of each adapter, and those that repeat it. */
const [oneOfEach, others] = [
  ["pg", "Prisma on pg", "Knex on pg", "PGlite", "node:sqlite", "ioredis"],
  ["Drizzle on pg", "better-sqlite3", "redis"],
];

test.for([...oneOfEach, ...byNight(others)])("an honest shop on %s passes", async (name) => {
  const verdict = await exam({ ...(stores[name]?.() as ExamOptions<never>), budget: { stories: 70 } });
  expect(verdict.failures, String(verdict)).toEqual([]);
  expect(Object.keys(verdict.coverage.troubles)).toContain("write");
});

/** What an exam of the shop that fulfils each time says, with the stories and timelines of its failures. */
async function saidOn(
  name: string,
  shop = stores[name]?.("fulfils each time") as ExamOptions<never>,
): Promise<unknown> {
  const verdict = await exam({ ...shop, budget: { stories: 20 } });
  expect(verdict.failures).not.toEqual([]);
  return verdict.toJSON();
}

test.for(["pg", "ioredis", ...byNight(["Prisma on pg", "Knex on pg", "PGlite", "node:sqlite", ...others])])(
  "%s gives the same stories, digest and verdict each time",
  async (name) => {
    expect(await saidOn(name)).toEqual(await saidOn(name));
  },
);

test("stores that run the same statements give the same stories, digest and verdict", async () => {
  // PGlite has one connection, so that two programs cannot run on it.
  const { connectAnother, disconnect, ...one } = pool();
  expect([connectAnother, disconnect]).not.toContain(undefined);
  const onPostgres = shopOn(one, tableOfPg, "fulfils each time") as never;
  expect(await saidOn("PGlite")).toEqual(await saidOn("pg", onPostgres));
});

test.for([...names.filter((name) => name !== "PGlite"), ...byNight(["PGlite"])])(
  "a shop on %s that fulfils an order each time it hears of it is found",
  async (name) => {
    const verdict = await exam({
      ...(stores[name]?.("fulfils each time") as ExamOptions<never>),
      budget: { stories: 70, failures: 1 },
    });
    expect(verdict.failures.map(({ law }) => law)).toContain("fulfilled-once");
  },
);

/** Plays stories in which two programs run at once, or one replaces the other, and some in which one of them crashes. */
async function playTwoPrograms(merchant: ExamOptions<never>): Promise<readonly string[]> {
  const flow = { name: "order with a challenge", steps: [] };
  const two = placed("story  1", "two programs");
  const stories = [
    [two],
    [
      placed("story  1", "two programs with a clock ahead"),
      placed("event payment_intent.succeeded 1", "twice at once"),
    ],
    [two, placed("write  2", "crash after")],
    [two, placed("event payment_intent.succeeded 1", "crash before")],
    [placed("call payment-intent.confirm 1", "deployment")],
    [placed("call payment-intent.confirm 1", "deployment"), placed("write  3", "crash after")],
  ];
  const laws: string[] = [];
  for (const troubles of stories)
    for (const schedule of [1, 2]) {
      const verdict = await exam({ ...merchant, replay: tokenOf({ flow, troubles, schedule }) });
      expect(verdict.outcome, String(verdict)).not.toBe("unfinished");
      laws.push(...verdict.failures.map(({ law }) => law));
    }
  return laws;
}

const ofTwoPrograms = ["pg", "redis", ...byNight(["Drizzle on pg", "Prisma on pg", "ioredis"])];

test.for(ofTwoPrograms)("two programs of an honest shop have a connection each on %s, and it passes", async (name) => {
  expect(await playTwoPrograms(stores[name]?.() as ExamOptions<never>)).toEqual([]);
});

test("a look before a write that a lock in memory guards goes wrong once two programs run", async () => {
  const shop = shopOn(pool(), (connection) => {
    const table = tableOfPg(connection);
    let last: Promise<unknown> = Promise.resolve();
    const fulfil = async (id: string): Promise<void> => {
      const isPaid = (await table.all()).some((row) => row.id === id && row.status === "paid");
      if (!isPaid) await table.fulfilAgain(id);
    };
    return { ...table, fulfil: (id) => (last = last.then(() => fulfil(id))) };
  });
  const flow = { name: "order approved", steps: [] };
  const unheard = ["processing", "succeeded"].map((what) => placed(`event payment_intent.${what} 1`, "webhook.drop"));
  const lawsBroken = async (troubles: ReturnType<typeof placed>[]): Promise<readonly string[]> => {
    const laws: string[] = [];
    for (const schedule of [1, 2, 3, 4, 5, 6]) {
      const verdict = await exam({ ...shop, replay: tokenOf({ flow, troubles, schedule }) });
      laws.push(...verdict.failures.map(({ law }) => law));
    }
    return laws;
  };
  expect(await lawsBroken(unheard)).toEqual([]);
  expect(await lawsBroken([...unheard, placed("story  1", "two programs")])).toContain("fulfilled-once");
});

test("one of two programs on PostgreSQL crashes in a transaction that the other waits for, and the other goes on", async () => {
  const waits: number[] = [];
  const shop = shopOn(pool(), (connection) => {
    const table = tableOfPg(connection);
    return {
      ...table,
      fulfil: async (id) => {
        const client = await connection.connect();
        await client.query("begin");
        const { rows } = await client.query<Row>("select * from orders where id = $1 for update", [id]);
        waits.push(rows.length);
        if (rows[0]?.status !== "paid")
          await client.query("update orders set status = 'paid', fulfilments = fulfilments + 1 where id = $1", [id]);
        await client.query("commit");
        client.release();
      },
    };
  });
  const flow = { name: "order approved", steps: [] };
  const troubles = [
    placed("story  1", "two programs"),
    placed("event payment_intent.succeeded 1", "twice at once"),
    placed("write  3", "crash after"),
  ];
  const verdict = await exam({ ...shop, replay: tokenOf({ flow, troubles }) });
  expect(verdict.outcome, String(verdict)).toBe("passed");
  expect(waits.length).toBeGreaterThan(1);
});

/** Counts the orders that a new run of the program finds without their twins after crashes. Both are written one after the other. */
async function halvesLeft({ inTransaction }: { readonly inTransaction: boolean }): Promise<number> {
  let halves = 0;
  const isTwin = ({ id }: Row): boolean => id.endsWith("-twin");
  const shop = shopOn(pool(), (connection) => {
    const table = tableOfPg(connection);
    return {
      ...table,
      all: async () => (await table.all()).filter((row) => !isTwin(row)),
      add: async (id, amount) => {
        const client = await connection.connect();
        const insert = "insert into orders values ($1, $2, 'pending', 0, null) on conflict do nothing";
        if (inTransaction) await client.query("begin");
        await client.query(insert, [id, amount]);
        await client.query(insert, [`${id}-twin`, amount]);
        if (inTransaction) await client.query("commit");
        client.release();
      },
    };
  });
  const merchant: ExamOptions<Pool> = {
    ...shop,
    open: async (opening) => {
      const rows = await tableOfPg(opening.store).all();
      const whole = new Set(rows.filter(isTwin).map(({ id }) => id));
      halves += rows.filter((row) => !isTwin(row) && !whole.has(`${row.id}-twin`)).length;
      return shop.open(opening);
    },
  };
  const flow = { name: "order approved", steps: [] };
  for (const write of [1, 2, 3]) {
    const verdict = await exam({
      ...merchant,
      replay: tokenOf({ flow, troubles: [placed(`write  ${write}`, "crash after")] }),
    });
    expect(verdict.outcome, String(verdict)).toBe("passed");
  }
  return halves;
}

test("a crash inside a transaction on PostgreSQL leaves nothing of it", async () => {
  expect(await halvesLeft({ inTransaction: true })).toBe(0);
  expect(await halvesLeft({ inTransaction: false })).toBeGreaterThan(0);
});
