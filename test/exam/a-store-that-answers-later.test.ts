import { setImmediate as aTurn } from "node:timers/promises";
import { createClient } from "centavo/client";
import { exam } from "centavo/exam";
import type { ExamOptions, StoreAdapter } from "centavo/exam";
import { verifyWebhook } from "centavo/webhooks";
import { expect, test } from "vitest";
import { byNight } from "../by-night.ts";

interface Row {
  readonly id: string;
  readonly amount: number;
  readonly status: string;
  readonly fulfilments: number;
  readonly intent?: string;
}

type Change = (row: Row | undefined) => Partial<Row>;

/** A database whose every answer takes some turns of the event loop. Its transactions lock the row. */
class Database {
  readonly #turns: number;
  readonly #locks = new Map<string, Promise<void>>();
  readonly rows = new Map<string, Row>();

  constructor(turns: number) {
    this.#turns = turns;
  }

  async all(): Promise<readonly Row[]> {
    await this.#answers();
    return structuredClone([...this.rows.values()]);
  }

  async put(id: string, change: Change): Promise<void> {
    await this.#answers();
    const row = this.rows.get(id);
    this.rows.set(id, { id, amount: 49_900, status: "pending", fulfilments: 0, ...row, ...change(row) });
  }

  query(id: string, change: Change): PromiseLike<void> {
    return builderOf(() => this.put(id, change));
  }

  async locked(id: string, work: (database: this) => Promise<void>): Promise<void> {
    const before = this.#locks.get(id);
    const lock = Promise.withResolvers<void>();
    this.#locks.set(id, lock.promise);
    await before;
    await this.#answers();
    await work(this).finally(lock.resolve);
  }

  async #answers(): Promise<void> {
    for (let turn = 0; turn < this.#turns; turn += 1) await aTurn();
  }
}

/** Returns what runs each time it is awaited, as a query builder does. */
function builderOf(run: () => Promise<void>): PromiseLike<void> {
  const builder: Partial<PromiseLike<void>> = {};
  const awaited: PromiseLike<void>["then"] = (resolve, reject) => run().then(resolve, reject);
  return new Proxy(builder, { get: (_, key) => (key === "then" ? awaited : undefined) }) as PromiseLike<void>;
}

type Writing = "one by one" | "in transactions" | "by queries";
type Mistake = "fulfils twice";

const shop = (turns: number, writing: Writing = "one by one", mistake?: Mistake): ExamOptions<Database> => ({
  store: {
    open: () => new Database(turns),
    isWrite: ({ method, on }) => method === "put" || (method === "then" && on?.method === "query"),
  } satisfies StoreAdapter<Database>,
  open: ({ sim, fetch, now, store, url }) => {
    const { baseUrl, authUrl, credentials } = sim;
    const { paymentIntents } = createClient({ ...credentials, baseUrl, authUrl, fetch });
    const persist = async <Answer>(call: () => Promise<Answer>, tries = 4): Promise<Answer> =>
      tries === 1 ? call() : call().catch(() => persist(call, tries - 1));
    const put = async (id: string, change: Change): Promise<void> => {
      if (writing === "one by one") await store.put(id, change);
      if (writing === "by queries") await store.query(id, change);
      if (writing === "in transactions") await store.locked(id, (database) => database.put(id, change));
    };
    const refresh = async ({ id, intent, status }: Row): Promise<void> => {
      if (intent === undefined || status === "paid") return;
      const read = await persist(() => paymentIntents.status(intent));
      if (read.status !== "succeeded") return;
      await put(id, (row) =>
        row?.status === "paid" && mistake === undefined
          ? {}
          : { status: "paid", fulfilments: (row?.fulfilments ?? 0) + 1 },
      );
    };
    return async (request: Request): Promise<Response> => {
      const { pathname } = new URL(request.url);
      if (pathname === "/orders") {
        const { id, method } = (await request.json()) as Record<"id" | "method", string>;
        await put(id, () => ({}));
        const terms = { amount: 49_900, externalId: id, returnUrl: `${url}/return`, webhookUrl: `${url}/hooks` };
        const { id: intent } = await persist(() => paymentIntents.create(terms, { idempotencyKey: `create-${id}` }));
        await put(id, () => ({ intent }));
        const confirm = () =>
          paymentIntents.confirm(intent, { paymentMethodId: method }, { idempotencyKey: `confirm-${id}` });
        const { redirectUrl } = await persist(confirm).catch(() => ({ redirectUrl: undefined }));
        return Response.json({ next: redirectUrl });
      }
      const isGenuine = () => verifyWebhook(request, credentials.webhookSecret, { now: now() }).catch(() => undefined);
      if (pathname === "/hooks" && (await isGenuine()) === undefined) return new Response(null, { status: 401 });
      for (const order of await store.all()) await refresh(order);
      return new Response();
    };
  },
  acts: { order: ({ visit, id, method }) => visit("POST", "/orders", { id, method }) },
  books: async ({ store }) => ({ orders: await store.all() }),
  jobs: [{ every: "10 minutes", run: ({ visit }) => visit("/jobs/refresh") }],
});

test("an honest shop passes on a database whose answers take turns of the event loop, with the same stories however many", async () => {
  const verdicts = [];
  for (const turns of [0, 1, 40, ...byNight([2, 5])])
    verdicts.push(await exam({ ...shop(turns), budget: { stories: 30 } }));
  for (const verdict of verdicts) expect(verdict.failures, String(verdict)).toEqual([]);
  expect(new Set(verdicts.map(({ digest }) => digest)).size).toBe(1);
});

test.for(["in transactions", "by queries"] as const)("an honest shop passes that writes %s", async (writing) => {
  const verdict = await exam({ ...shop(3, writing), budget: { stories: 60 } });
  expect(verdict.failures, String(verdict)).toEqual([]);
  expect(Object.keys(verdict.coverage.troubles)).toContain("write");
});

test("a shop that fulfils without looking is found on such a database", async () => {
  const verdict = await exam({ ...shop(3, "one by one", "fulfils twice"), budget: { stories: 150, failures: 1 } });
  expect(verdict.failures.map(({ law }) => law)).toEqual(["fulfilled-once"]);
});

test("books that are read from such a database do not move the time", async () => {
  const at: number[] = [];
  const honest = shop(40);
  await exam({
    ...honest,
    open: (opening) => {
      at.push(opening.now().getTime());
      return honest.open(opening);
    },
    books: async (context) => {
      const books = await honest.books(context);
      at.push(Date.now());
      return books;
    },
    budget: { stories: 1 },
  });
  expect(at[1]).toBe(at[0]);
});

test("calls take as much virtual time as the option storeDelay says, and none without it", async () => {
  const took = async (storeDelay?: ExamOptions["storeDelay"]): Promise<readonly number[]> => {
    const times: number[] = [];
    const honest = shop(3);
    await exam({
      ...honest,
      ...(storeDelay !== undefined && { storeDelay }),
      open: (opening) => async (request: Request) => {
        const from = opening.now().getTime();
        for (let calls = 0; calls < 3; calls += 1) await opening.store.all();
        times.push(opening.now().getTime() - from);
        return (honest.open(opening) as (request: Request) => Promise<Response>)(request);
      },
      budget: { stories: 1 },
    });
    return [...new Set(times)];
  };
  expect(await took()).toEqual([0]);
  expect(await took("20 milliseconds")).toEqual([60]);
  expect(await took(200)).toEqual([600]);
});

test("a shop whose many calls take longer than an event waits answers too late", async () => {
  const slow = { ...shop(1), storeDelay: "20 seconds", budget: { stories: 30, failures: 1 } } as const;
  const { failures } = await exam(slow);
  expect(failures.map(({ law }) => law)).toEqual(["answers-in-time"]);
  expect((await exam({ ...shop(1), storeDelay: "20 milliseconds", budget: { stories: 30 } })).failures).toEqual([]);
});

test("a store may be a function, such as Knex", async () => {
  const honest = shop(1);
  const { open } = honest.store as StoreAdapter<Database>;
  type Connection = (() => Database) & { readonly all: Database["all"] };
  const verdict = await exam<Connection>({
    ...(honest as unknown as ExamOptions<Connection>),
    store: {
      open: async () => {
        const database = await open();
        return Object.assign(() => database, { all: () => database.all() });
      },
      isWrite: ({ method }) => method === "put",
    },
    open: (opening) => honest.open({ ...opening, store: opening.store() }),
    books: async ({ store }) => ({ orders: await store.all() }),
    budget: { stories: 20 },
  });
  expect(verdict.failures, String(verdict)).toEqual([]);
});
