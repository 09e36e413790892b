import { createClient } from "centavo/client";
import type { ExamOptions, StoreAdapter } from "centavo/exam";
import { verifyWebhook } from "centavo/webhooks";

/** An order as a row. */
export interface Row {
  readonly id: string;
  readonly amount: number;
  readonly status: string;
  readonly fulfilments: number;
  readonly intent: string | null;
}

/** What the shop asks of its database, each in one step. */
export interface Table {
  all(): Promise<readonly Row[]>;
  /** Adds a pending order, unless it is there. */
  add(id: string, amount: number): Promise<unknown>;
  link(id: string, intent: string): Promise<unknown>;
  /** Marks an order as paid and fulfils it, unless it was paid before. */
  fulfil(id: string): Promise<unknown>;
  /** Fulfils it whether or not it was, which is wrong. */
  fulfilAgain(id: string): Promise<unknown>;
}

export const DDL =
  "create table orders (id text primary key, amount integer not null, status text not null, fulfilments integer not null, intent text)";
const statements = {
  all: "select * from orders order by id",
  add: "insert into orders values ($1, $2, 'pending', 0, null) on conflict do nothing",
  link: "update orders set intent = $2 where id = $1",
  fulfil: "update orders set status = 'paid', fulfilments = fulfilments + 1 where id = $1 and status <> 'paid'",
  fulfilAgain: "update orders set status = 'paid', fulfilments = fulfilments + 1 where id = $1",
};

/** The tables of a shop whose driver runs such statements. */
export function tableOf(run: (sql: string, ...parameters: readonly (string | number)[]) => Promise<unknown>): Table {
  return {
    all: async () => (await run(statements.all)) as readonly Row[],
    add: (id, amount) => run(statements.add, id, amount),
    link: (id, intent) => run(statements.link, id, intent),
    fulfil: (id) => run(statements.fulfil, id),
    fulfilAgain: (id) => run(statements.fulfilAgain, id),
  };
}

/** An honest shop on a database, or one that fulfils an order each time it hears of it. */
export function shopOn<Store>(
  store: StoreAdapter<Store>,
  tableIn: (store: Store) => Table,
  mistake?: "fulfils each time",
): ExamOptions<Store> {
  return {
    store,
    open: (opening) => {
      const { sim, timeout, now, url } = opening;
      const fetch: typeof opening.fetch = (input, init) =>
        opening.fetch(input, { ...init, signal: timeout("20 seconds") });
      const { baseUrl, authUrl, credentials } = sim;
      const { paymentIntents } = createClient({ ...credentials, baseUrl, authUrl, fetch });
      const table = tableIn(opening.store);
      const persist = async <Answer>(call: () => Promise<Answer>, tries = 4): Promise<Answer> =>
        tries === 1 ? call() : call().catch(() => persist(call, tries - 1));
      const refresh = async ({ id, intent, status }: Row): Promise<void> => {
        if (intent === null || (status === "paid" && mistake === undefined)) return;
        const read = await persist(() => paymentIntents.status(intent));
        if (read.status === "succeeded") await (mistake === undefined ? table.fulfil(id) : table.fulfilAgain(id));
      };
      return async (request: Request): Promise<Response> => {
        const { pathname } = new URL(request.url);
        if (pathname === "/orders") {
          const { id, method } = (await request.json()) as Record<"id" | "method", string>;
          const amount = 49_900;
          await table.add(id, amount);
          const terms = { amount, externalId: id, returnUrl: `${url}/return`, webhookUrl: `${url}/hooks` };
          const { id: intent } = await persist(() => paymentIntents.create(terms, { idempotencyKey: `create-${id}` }));
          await table.link(id, intent);
          const key = { idempotencyKey: `confirm-${id}` };
          const confirm = () => paymentIntents.confirm(intent, { paymentMethodId: method }, key);
          const { redirectUrl } = await persist(confirm).catch(() => ({ redirectUrl: undefined }));
          return Response.json({ next: redirectUrl });
        }
        const verify = () => verifyWebhook(request, credentials.webhookSecret, { now: now() }).catch(() => undefined);
        if (pathname === "/hooks" && (await verify()) === undefined) return new Response(null, { status: 401 });
        for (const order of await table.all()) await refresh(order);
        return new Response();
      };
    },
    acts: { order: ({ visit, id, method }) => visit("POST", "/orders", { id, method }) },
    books: async ({ store: connection }) => {
      const rows = await tableIn(connection).all();
      return { orders: rows.map(({ id, amount, status, fulfilments }) => ({ id, amount, status, fulfilments })) };
    },
    jobs: [{ every: "10 minutes", run: ({ visit }) => visit("/jobs/refresh") }],
  };
}
