import { expect, test } from "vitest";
import { createSimulator } from "centavo";
import { exam } from "centavo/exam";
import { startMerchant } from "centavo/testing";
import type { ExamOptions, Opening, StoreAdapter } from "centavo/exam";
import type { DatabaseSync } from "node:sqlite";
import type { PGlite } from "@electric-sql/pglite";
import { pglite, sqlite, tablesOfPglite, tablesOfSqlite } from "./databases.ts";
import type { Tables } from "./databases.ts";
import type { Row } from "./stores/shop.ts";
import { openSmallShop } from "../../exam/small-shop.ts";
import type { Mistake, Order, Orders } from "../../exam/small-shop.ts";
import { byNight } from "../../by-night.ts";

/** A shop that keeps its orders in a database: it reads them before a request, and writes what has changed before each call to the service and at the end. */
function openShop(opening: Omit<Opening, "store">, tables: Tables, mistake?: Mistake) {
  let last = Promise.resolve();
  const inTurn = (work: () => Promise<Response>): Promise<Response> => {
    const answer = last.then(work);
    last = answer.then(
      () => undefined,
      () => undefined,
    );
    return answer;
  };
  return (request: Request) =>
    inTurn(async () => {
      let saved = await tables.all();
      const store: Orders = new Map(saved.map((row) => [row.id, orderOf(row)]));
      const saveAll = async (): Promise<void> => {
        const before = saved;
        saved = [...store.values()].map(rowOf);
        await save(store, before, tables);
      };
      const fetch: typeof globalThis.fetch = async (input, init) => {
        await saveAll();
        return opening.fetch(input, init);
      };
      const handle = openSmallShop({ ...opening, fetch, store }, mistake);
      const answer = await handle(request);
      await saveAll();
      return answer;
    });
}

async function save(orders: Orders, before: readonly Row[], tables: Tables): Promise<void> {
  for (const { id, amount, status, fulfilments, intent } of orders.values()) {
    const known = before.find((row) => row.id === id);
    if (
      known !== undefined &&
      known.status === status &&
      known.intent === (intent ?? "") &&
      known.fulfilments === fulfilments
    )
      continue;
    const insert = "insert into orders (id, amount, status, fulfilments, intent) values (?, ?, ?, ?, ?)";
    const book = `update orders set status = ?, intent = ? where id = ?`;
    const fulfil = `update orders set fulfilments = fulfilments + ? where id = ? and fulfilments <= ?`;
    const added = fulfilments - (known?.fulfilments ?? 0);
    const steps = [
      ...(known === undefined ? [[insert, id, amount, "pending", 0, ""] as const] : []),
      [book, status, intent ?? "", id] as const,
      ...(added > 0 ? [[fulfil, added, id, 99] as const] : []),
    ];
    await tables.inTransaction(async (run) => {
      for (const [sql, ...parameters] of steps) await run(sql, ...parameters);
    });
  }
}

function rowOf({ id, amount, status, fulfilments, intent }: Order): Row {
  return { id, amount, status, fulfilments, intent: intent ?? "" };
}

function orderOf({ id, amount, status, fulfilments, intent }: Row): Order {
  return { id, amount, status: status as Order["status"], fulfilments, ...(intent ? { intent } : {}) };
}

function shared(stories: number): Omit<ExamOptions, "open" | "books" | "store"> {
  return {
    acts: { order: ({ visit, id, method }) => visit("POST", "/orders", { id, method }) },
    jobs: [{ every: "10 minutes", run: ({ visit }) => visit("/jobs/refresh") }],
    budget: { stories, failures: 1 },
  };
}

const booksOf = async (tables: Tables) => ({ orders: (await tables.all()).map(orderOf) });

const examineWith = {
  SQLite: (mistake?: Mistake, stories = 70) =>
    exam<DatabaseSync>({
      ...shared(stories),
      store: sqlite,
      open: (opening) => openShop(opening, tablesOfSqlite(opening.store), mistake),
      books: ({ store }) => booksOf(tablesOfSqlite(store)),
    }),
  PGlite: (mistake?: Mistake, stories = 70) =>
    exam<PGlite>({
      ...shared(stories),
      store: pglite,
      open: (opening) => openShop(opening, tablesOfPglite(opening.store), mistake),
      books: ({ store }) => booksOf(tablesOfPglite(store)),
    }),
};

// A shop on PGlite stands in stores.test.ts, too.
test.for(["SQLite", ...byNight(["PGlite"] as const)] as const)(
  "passes an honest shop that keeps its orders in %s",
  async (database) => {
    const verdict = await examineWith[database]();
    expect(verdict.failures, String(verdict)).toEqual([]);
    const places = Object.keys(verdict.coverage.troubles);
    expect(places).toContain("write");
  },
);

test("finds the shop that never asks in its database", async () => {
  const { failures } = await examineWith.SQLite("never asks", 250);
  expect(failures.map(({ law }) => law)).toContain("paid-and-fulfilled");
});

test.for(["SQLite", ...byNight(["PGlite"] as const)] as const)("tells the same of %s each time", async (database) => {
  const [first, again] = [await examineWith[database](undefined, 15), await examineWith[database](undefined, 15)];
  expect(again.digest).toBe(first.digest);
});

/** A merchant that ends in the middle of a transaction, and what its next process finds. */
async function ordersAfterTheEndInside<Store>(store: StoreAdapter<Store>, tablesOf: (store: Store) => Tables) {
  const sim = createSimulator();
  await using shop = await startMerchant<Store>(sim, "https://shop.example", {
    store,
    open: (opening) => {
      const tables = tablesOf(opening.store);
      return async ({ method }: Request) => {
        if (method === "GET") return Response.json(await tables.all());
        await tables.inTransaction(async (run) => {
          const insert = "insert into orders (id, amount, status, fulfilments, intent) values (?, ?, ?, ?, ?)";
          await run(insert, "order-1", 49_900, "pending", 0, "");
          if (method === "POST") shop.kill();
          await run(insert, "order-2", 49_900, "pending", 0, "");
        });
        return new Response();
      };
    },
  });
  await expect(sim.visit("POST", "/orders")).rejects.toThrow();
  await shop.start();
  const kept = (await (await sim.visit("/orders")).json()) as readonly Row[];
  await sim.visit("PUT", "/orders");
  const next = (await (await sim.visit("/orders")).json()) as readonly Row[];
  return { kept: kept.map(({ id }) => id), next: next.map(({ id }) => id) };
}

test.for([
  ["SQLite", () => ordersAfterTheEndInside(sqlite, tablesOfSqlite)],
  ["PGlite", () => ordersAfterTheEndInside(pglite, tablesOfPglite)],
] as const)("keeps nothing half-written of a process that ends inside a transaction of %s", async ([, ends]) => {
  expect(await ends()).toEqual({ kept: [], next: ["order-1", "order-2"] });
});
